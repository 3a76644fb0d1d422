/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds and kills a run. See staged.h. */
#include "staged.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "probe/supervisor.h"
#include "record/stream.h"
#include "workload/work.h"

#include <grp.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define PATIENCE_NS (60 * NS_PER_SEC)
#define PARAMETERS_MAX 64
#define NOBODY 65534
#define EXIT_REFUSED 3
#define SHORT_SECONDS "0.05"
#define PATIENT_SECONDS "2"
#define LONG_SECONDS "30"

/* What the hooks need; a hook has no other way to know. Set before the run is forked. */
static struct {
	const struct staged *staged;
	int say_fd;
	atomic_int *go; /* Shared: what is held goes on. */
} held;

struct word {      /* Said by a task of the run; the kernel tells which process said it. */
	char what; /* 'h' harness, 'w' worker, 's' held at the stage. */
};

const char *stage_text(enum stage stage)
{
	static const char *const texts[STAGE_COUNT] = { "prepare", "before_worker", "after_worker",
							"enter",   "barrier",       "warm-up",
							"window",  "leave",         "retire" };
	return stage < STAGE_COUNT ? texts[stage] : "the whole";
}

const char *victim_text(enum victim victim)
{
	static const char *const texts[VICTIM_COUNT] = { "harness killed", "worker killed",
							 "supervisor killed",
							 "supervisor asked to stop" };
	return texts[victim];
}

/* ---- the hooks ---- */

static const struct workload *real(void)
{
	return held.staged->row;
}

static void say(char what)
{
	const struct word word = { what };
	(void)send(held.say_fd, &word, sizeof(word), MSG_NOSIGNAL);
}

static void hold(enum stage stage)
{
	if (held.staged->stage != stage)
		return;
	say('s');
	while (!atomic_load(held.go))
		(void)poll(NULL, 0, 1);
}

static int held_prepare(struct work *work, struct error *err)
{
	say('h');
	const int failed = real()->prepare ? real()->prepare(work, err) : 0;
	if (!failed)
		hold(STAGE_PREPARE);
	return failed;
}

static int held_before_worker(struct work *work, unsigned index, struct error *err)
{
	const int failed = real()->before_worker ? real()->before_worker(work, index, err) : 0;
	if (!failed && index + 1 == work_workers(work))
		hold(STAGE_BEFORE_WORKER);
	return failed;
}

static void held_after_worker(struct work *work, unsigned index)
{
	if (real()->after_worker)
		real()->after_worker(work, index);
	if (index == 0)
		hold(STAGE_AFTER_WORKER);
}

static int held_enter(struct worker_self *self, struct error *err)
{
	const int failed = real()->enter ? real()->enter(self, err) : 0;
	if (failed)
		return failed;
	if (self->index == 0) {
		say('w');
		hold(STAGE_ENTER);
	}
	if (self->index + 1 == work_workers(self->work))
		hold(STAGE_BARRIER);
	return 0;
}

static int64_t held_batch(struct worker_self *self)
{
	if (self->index == 0 && real()->shape == WORK_FIXED)
		hold(STAGE_WINDOW);
	const int64_t done = real()->batch(self);
	if (self->index == 0)
		hold(STAGE_WARMUP);
	return done;
}

static void held_leave(struct worker_self *self)
{
	if (self->index == 0)
		hold(STAGE_LEAVE);
	if (real()->leave)
		real()->leave(self);
}

static void held_retire(struct work *work)
{
	hold(STAGE_RETIRE);
	if (real()->retire)
		real()->retire(work);
}

/* ---- parameters ---- */

struct chosen {
	struct work_argument arguments[PARAMETERS_MAX];
	char *values[PARAMETERS_MAX];
	size_t n;
};

static void choose(struct chosen *chosen, const struct parameter *parameter, char *value)
{
	CHECK(chosen->n < PARAMETERS_MAX);
	chosen->values[chosen->n] = value;
	chosen->arguments[chosen->n++] =
		(struct work_argument) { .name = parameter->name, .value = value };
}

static char *draw_word(struct random *random, const char *words)
{
	size_t n = 1;
	for (const char *at = words; *at; at++)
		n += *at == ' ';
	const char *at = words;
	for (uint64_t skip = random_below(random, n); skip > 0; skip--)
		at = strchr(at, ' ') + 1;
	return mem_text_n(at, strcspn(at, " "));
}

static char *least_seconds(const struct staged *staged, const struct parameter *parameter)
{
	const bool stays = staged->stage == STAGE_WINDOW && staged->row->shape == WORK_LOOP &&
			   text_equal(parameter->name, "duration");
	if (stays)
		return mem_text(LONG_SECONDS);
	if (staged->patient && text_equal(parameter->name, "duration"))
		return mem_text(PATIENT_SECONDS);
	return parameter->min > 0 ? mem_format("%" PRIu64, parameter->min)
				  : mem_text(SHORT_SECONDS);
}

/* How much is chosen; what a row refuses is drawn again, and then tried with less. */
enum choice { CHOICE_ALL, CHOICE_WITHOUT_NUMBERS, CHOICE_TIMES_ONLY, CHOICE_COUNT };

#define DRAWS_EACH 16 /* Of words that a row may refuse together. */

static void choose_all(const struct staged *staged, enum choice choice, struct chosen *chosen)
{
	for (const struct parameter *one = staged->row->about.parameters; one && one->name; one++) {
		if (one->type == PARAMETER_NUMBER && text_equal(one->name, "nr_task"))
			choose(chosen, one, mem_text(one->max > 1 ? "2" : "1"));
		else if (one->type == PARAMETER_NUMBER && choice < CHOICE_WITHOUT_NUMBERS)
			choose(chosen, one, mem_format("%" PRIu64, one->min));
		else if (one->type == PARAMETER_WORD && choice < CHOICE_TIMES_ONLY)
			choose(chosen, one, draw_word(staged->random, one->words));
		else if (one->type == PARAMETER_SECONDS)
			choose(chosen, one, least_seconds(staged, one));
		else if (one->type == PARAMETER_TEXT && !one->preset)
			choose(chosen, one, mem_text("true"));
	}
}

/* Checks each choice, by which nothing is made. */
static bool find_choice(const struct staged *staged, struct chosen *ret_chosen,
			struct staged_end *end)
{
	for (unsigned draw = 0; draw < CHOICE_COUNT * DRAWS_EACH; draw++) {
		const enum choice choice = (enum choice)(draw / DRAWS_EACH);
		struct chosen chosen = { 0 };
		struct work *work = NULL;
		struct error err = { 0 };
		choose_all(staged, choice, &chosen);
		const int failed = work_new(staged->row, chosen.arguments, chosen.n, &work, &err);
		work_free(work);
		*ret_chosen = chosen;
		if (!failed)
			return true;
		for (size_t i = 0; i < chosen.n; i++)
			free(chosen.values[i]);
		(void)snprintf(end->reason, sizeof(end->reason), "%.255s", err.text);
	}
	*ret_chosen = (struct chosen) { 0 };
	return false;
}

static void tell(const struct chosen *chosen, struct staged_end *end)
{
	struct text told = { 0 };
	for (size_t i = 0; i < chosen->n; i++)
		text_add(&told, " %s=%s", chosen->arguments[i].name, chosen->arguments[i].value);
	(void)snprintf(end->told, sizeof(end->told), "%.511s", text_string(&told));
	text_done(&told);
}

/* ---- the run ---- */

static NORETURN void be_supervisor(const struct staged *staged, const struct chosen *chosen,
				   int wire_fd)
{
	struct error err = { 0 };
	struct workload row = *staged->row;
	row.prepare = held_prepare;
	row.before_worker = held_before_worker;
	row.after_worker = held_after_worker;
	row.enter = held_enter;
	row.batch = held_batch;
	row.leave = held_leave;
	row.retire = held_retire;
	/* Who has changed his identity may not write his own maps until he says so. */
	if (staged->as_user && geteuid() == 0 &&
	    (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
	     setresuid(NOBODY, NOBODY, NOBODY) < 0 || prctl(PR_SET_DUMPABLE, 1) < 0))
		_exit(EXIT_REFUSED);
	struct work *work = NULL;
	if (work_new(&row, chosen->arguments, chosen->n, &work, &err) != 0) {
		(void)fprintf(stderr, "%s: %s\n", row.about.name, err.text);
		_exit(EXIT_REFUSED);
	}
	const int root_fd = fs_root_open("/", &err);
	CHECK(root_fd >= 0);
	const struct plan plan = { .works = &work,
				   .n_works = 1,
				   .time_limit_ns = PATIENCE_NS,
				   .wire_fd = wire_fd,
				   .root_fd = root_fd,
				   .isolation = staged->isolation };
	const int failed = supervisor_run(&plan, &err);
	if (failed)
		(void)fprintf(stderr, "%s: %s\n", row.about.name, err.text);
	work_free(work);
	_exit(failed ? EXIT_REFUSED : 0);
}

struct watching {
	const struct staged *staged;
	pid_t supervisor, harness, worker; /* 0: not known. */
	struct stream *stream;
	bool killed;
};

/* Workers are none before they are made, and none that may be killed after they were reaped. */
static pid_t victim_of(const struct watching *at)
{
	const bool has_workers =
		at->staged->stage != STAGE_PREPARE && at->staged->stage != STAGE_RETIRE;
	switch (at->staged->victim) {
	case VICTIM_WORKER:
		if (at->worker > 0 && has_workers)
			return at->worker;
		return at->harness > 0 ? at->harness : at->supervisor;
	case VICTIM_HARNESS:
		return at->harness > 0 ? at->harness : at->supervisor;
	case VICTIM_SUPERVISOR:
	case VICTIM_ASKED:
	case VICTIM_COUNT:
		break;
	}
	return at->supervisor;
}

static void kill_victim(struct watching *at)
{
	if (at->killed)
		return;
	(void)kill(victim_of(at), at->staged->victim == VICTIM_ASKED ? SIGTERM : SIGKILL);
	at->killed = true;
	/* A harness that is held would not see its worker's death. */
	if (at->staged->victim == VICTIM_WORKER)
		atomic_store(held.go, 1);
}

static bool is_of_worker(enum stage stage)
{
	return stage == STAGE_ENTER || stage == STAGE_WARMUP || stage == STAGE_WINDOW ||
	       stage == STAGE_LEAVE;
}

static void hear(struct watching *at, int fd)
{
	struct word word = { 0 };
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(struct ucred))];
	} control = { 0 };
	struct iovec piece = { .iov_base = &word, .iov_len = sizeof(word) };
	struct msghdr message = { .msg_iov = &piece,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control) };
	if (recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != sizeof(word))
		return;
	struct ucred who = { 0 };
	const struct cmsghdr *first = CMSG_FIRSTHDR(&message);
	if (first && first->cmsg_type == SCM_CREDENTIALS)
		memcpy(&who, CMSG_DATA(first), sizeof(who));
	if (word.what == 'h')
		at->harness = who.pid;
	if (word.what == 'w' || (word.what == 's' && is_of_worker(at->staged->stage)))
		at->worker = who.pid;
	if (word.what == 's')
		kill_victim(at);
}

/* False at the end of the stream, which nobody can write to any more. */
static bool read_stream(struct watching *at, int fd)
{
	char bytes[4096];
	struct error err = { 0 };
	const ssize_t got = read(fd, bytes, sizeof(bytes));
	if (got <= 0)
		return false;
	(void)stream_feed(at->stream, bytes, (size_t)got, &err);
	if (at->staged->stage == STAGE_WINDOW && at->staged->row->shape == WORK_LOOP &&
	    stream_phase(at->stream) == PHASE_MEASURE)
		kill_victim(at);
	return true;
}

/* True when the run ended by itself, or by what was done to it. */
static bool watch(struct watching *at, int say_fd, int wire_fd)
{
	const uint64_t end_ns = clock_monotonic_ns() + PATIENCE_NS;
	while (clock_monotonic_ns() < end_ns) {
		struct pollfd looks[] = { { .fd = say_fd, .events = POLLIN },
					  { .fd = wire_fd, .events = POLLIN } };
		(void)poll(looks, 2, 1000);
		if (looks[0].revents & POLLIN)
			hear(at, say_fd);
		else if (looks[1].revents && !read_stream(at, wire_fd))
			return true;
	}
	(void)kill(at->supervisor, SIGKILL);
	return false;
}

static void conclude(struct watching *at, struct staged_end *end)
{
	struct run *run = stream_finish(at->stream);
	end->killed = at->killed;
	end->outcome = run->outcome;
	(void)snprintf(end->reason, sizeof(end->reason), "%.255s", run->reason);
	run_free(run);
	(void)waitpid(at->supervisor, /* status= */ NULL, 0);
}

static void carry_out(const struct staged *staged, const struct chosen *chosen,
		      struct staged_end *end)
{
	int wire[2];
	int said[2];
	const int yes = 1;
	CHECK(pipe(wire) == 0);
	CHECK(socketpair(AF_UNIX, SOCK_DGRAM, 0, said) == 0);
	CHECK(setsockopt(said[0], SOL_SOCKET, SO_PASSCRED, &yes, sizeof(yes)) == 0);
	held.staged = staged;
	held.say_fd = said[1];
	atomic_store(held.go, 0);
	const pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		(void)close(wire[0]);
		(void)close(said[0]);
		be_supervisor(staged, chosen, wire[1]);
	}
	(void)close(wire[1]);
	(void)close(said[1]);
	struct watching at = { .staged = staged, .supervisor = child, .stream = stream_new() };
	end->hung = !watch(&at, said[0], wire[0]);
	conclude(&at, end);
	stream_free(at.stream);
	(void)close(wire[0]);
	(void)close(said[0]);
}

struct staged_end staged_run(const struct staged *staged)
{
	struct staged_end end = { .outcome = RUN_TORN };
	struct chosen chosen;
	(void)setenv("TMPDIR", staged->directory, 1);
	if (!held.go)
		held.go = mmap(NULL, sizeof(*held.go), PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(held.go != MAP_FAILED);
	end.refused = !find_choice(staged, &chosen, &end);
	if (end.refused)
		return end;
	tell(&chosen, &end);
	carry_out(staged, &chosen, &end);
	for (size_t i = 0; i < chosen.n; i++)
		free(chosen.values[i]);
	return end;
}
