# SPDX-License-Identifier: GPL-2.0-or-later
# A thin cover over Meson. `make demo` and `make check` do everything on a fresh Debian 12 machine.
BUILD ?= build
MESON_OPTIONS ?=

.PHONY: all demo check check-long bench install format clean

all:
	@tools/need build
	@test -f $(BUILD)/build.ninja || meson setup $(BUILD) -Dtests=false $(MESON_OPTIONS)
	@ninja -C $(BUILD)

demo: all
	@tools/demo $(BUILD)

check:
	@tools/need check
	@tools/check

check-long:
	@tools/need check long
	@tools/check --long

bench: all
	@tools/need bench
	@tools/bench $(BUILD)

install: all
	@meson install -C $(BUILD)

format:
	@tools/format

clean:
	@rm -rf build build-check
