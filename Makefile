# SPDX-License-Identifier: GPL-2.0-or-later
# A thin cover over Meson. `make demo` and `make check` do everything on a fresh Debian 12 machine.
# The program in build/ is the one that measures; tests of a developer are in build-dev/ (see CONTRIBUTING.md).
BUILD ?= build
MESON_OPTIONS ?=

.PHONY: all demo check check-long bench install format clean

all:
	@tools/need build
	@if [ ! -f $(BUILD)/build.ninja ]; then meson setup $(BUILD) -Dtests=false $(MESON_OPTIONS); \
	elif [ -n "$(MESON_OPTIONS)" ]; then meson setup --reconfigure $(BUILD) $(MESON_OPTIONS); fi
	@ninja -C $(BUILD) build.ninja >/dev/null
	@if grep -q fsanitize $(BUILD)/assay_build.h; then echo "make: '$(BUILD)' is set up with a sanitizer, and what it" \
	"builds must not measure: move it away, or name another: make BUILD=build-plain $(MAKECMDGOALS)" >&2; exit 1; fi
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
	@rm -rf build build-dev build-check
