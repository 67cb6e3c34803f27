/* The entry points: what Python calls (interpreter/native/library.py has the same structures). */
typedef struct {
    const unsigned char *seed; /* of the first game; behind it "/number" when games are numbered */
    int64_t seed_length;
    const unsigned char *const *seats; /* what stands behind the seed for the agent of each player, or NULL */
    const int64_t *seat_lengths;
    int64_t by; /* who decides: 0 agents at random, by their seeds; 1 a quick generator; 2 a script */
    uint64_t quick;
    const int64_t *script;
    int64_t script_length;
    int64_t *trace; /* who was asked and how many options there were, two numbers a decision */
    int64_t trace_room;
    int64_t granted, left, turns, firings, most_options, most_decisions;
    int64_t keeps_history; /* whether the positions of the last game will be asked for */
} order;
typedef struct {
    int64_t code, end, winners, decisions, traced, paid, work;
    int64_t players[PLAYERS];
    frac gains[PLAYERS];
} answer;

EXPORT int64_t native_sizes(int64_t which) {
    switch (which) {
    case 0: return (int64_t)sizeof(answer);
    case 1: return WORDS;
    case 2: return PLAYERS;
    default: return 0;
    }
}
static int begin(machine *m, const int64_t *start, const order *o, const int64_t *number) {
    memcpy(&m->s, start, WORDS * sizeof *start);
    m->top = (char *)(((uintptr_t)m->arena + 63) & ~(uintptr_t)63);
    m->granted = m->meter = o->granted < o->left ? o->granted : o->left;
    m->left = o->left;
    m->turns = m->turns_given = o->turns;
    m->firings = m->firings_given = o->firings;
    m->most_options = o->most_options;
    m->most_decisions = o->most_decisions;
    m->by = o->by;
    m->quick = o->quick;
    m->script = o->script;
    m->script_length = o->script_length;
    m->keeps_history = o->keeps_history;
    m->trace = o->trace;
    m->trace_room = o->trace_room;
    m->traced = m->decisions = m->paid = m->remembered = 0;
    m->winners = 0;
    m->end = -1;
    m->depth = 0;
    if (o->seed_length < 0 || o->seed_length > LONGEST - 32) return 0;
    size_t length = (size_t)o->seed_length;
    memcpy(m->seed_text, o->seed, length);
    if (number) {
        m->seed_text[length++] = '/';
        length += put_number(m->seed_text + length, (uint64_t)*number);
    }
    for (int64_t who = 0; who < PLAYERS; who++) {
        m->seat_length[who] = 0;
        if (o->by != 0 || !o->seats || !o->seats[who]) continue;
        size_t more = (size_t)o->seat_lengths[who];
        if (length + more > LONGEST) return 0;
        memcpy(m->seat_text[who], m->seed_text, length);
        memcpy(m->seat_text[who] + length, o->seats[who], more);
        m->seat_length[who] = length + more;
    }
    m->seed_text[length++] = '/';
    m->seed_length = length;
    return 1;
}
static int play(machine *m) {
    int why = setjmp(m->out);
    if (why) return why == OVER ? 0 : why;
    MAIN(m);
    return 0;
}
static void told(machine *m, int code, answer *a) {
    a->code = code;
    a->end = m->end;
    a->winners = (int64_t)m->winners;
    a->decisions = m->decisions;
    a->traced = m->traced;
    a->paid = m->paid;
    a->work = m->left;
    for (int64_t k = 0; k < m->paid; k++) { a->players[k] = m->payee[k]; a->gains[k] = m->gain[k]; }
}
/* games by their numbers; `states`, unless NULL, gets the last state of each */
EXPORT void native_play(machine *m, const int64_t *start, const order *o, const int64_t *numbers, int64_t count,
                        answer *answers, int64_t *states) {
    for (int64_t k = 0; k < count; k++) {
        int code = BOUNDS;
        if (begin(m, start, o, numbers ? &numbers[k] : NULL)) code = play(m);
        told(m, code, &answers[k]);
        if (states) memcpy(states + k * WORDS, &m->s, WORDS * sizeof *states);
    }
}
/* the positions that occurred in the game that was played last */
EXPORT int64_t native_history(machine *m, uint64_t *out, int64_t room) {
    if (!m->keeps_history) return 0;
    m->top = (char *)(((uintptr_t)m->arena + 63) & ~(uintptr_t)63);
    if (setjmp(m->out)) return 0;
    for (int64_t k = 0; out && k < m->remembered && k < room; k++) {
        m->s = m->snapshots[k];
        out[k] = (uint64_t)position(m);
    }
    return m->remembered;
}
/* many games with the quick generator: how they ended, who won, how many decisions; how many were given up */
typedef struct { int64_t games, stopped, decisions, drawn; int64_t ends[ENDINGS + 1]; int64_t wins[PLAYERS]; } tally;
EXPORT void native_many(machine *m, const int64_t *start, const order *o, int64_t count, tally *t) {
    order own = *o;
    uint64_t seed = o->quick;
    for (int64_t k = 0; k < count; k++) {
        own.quick = quick(&seed);
        int64_t number = k;
        int code = BOUNDS;
        if (begin(m, start, &own, &number)) code = play(m);
        if (code) { t->stopped++; continue; }
        t->games++;
        t->decisions += m->decisions;
        t->ends[m->end < 0 ? ENDINGS : m->end]++;
        if (!m->winners) t->drawn++;
        for (int64_t who = 0; who < PLAYERS; who++) t->wins[who] += m->winners >> who & 1;
    }
}
static void made(machine *m) { m->end = -1; }
static void parted(machine *m) { free(m->snapshots); }
