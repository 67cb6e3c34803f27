/* Searches step by step (running/route_search.py). `SEARCH_OF` is one route: its rules are `price_`, `stop_`,
   `end_`, `rung_`, `limits_` and `start_`; points are fractions, None is a denominator of 0. */
#define PARAMETERS(...) __VA_ARGS__
#define PASSED(...) __VA_ARGS__
typedef struct { frac budget, most, always, exactly; } limits_;
typedef struct { frac spent; int64_t steps; int32_t there, from, border; } way;
typedef struct { way *p; int64_t n, room; } ways_;
typedef struct { frac spent; int64_t steps; int32_t here, from, border; MS seen; } path;
typedef struct { path *p; int64_t n, room; } paths_;
UNUSED static void ways_push(machine *m, ways_ *l, way x) {
    if (l->n == l->room) {
        int64_t room = l->room ? 2 * l->room : 64;
        way *p = taken(m, (size_t)room * sizeof *p);
        if (l->n) memcpy(p, l->p, (size_t)l->n * sizeof *p);
        l->p = p;
        l->room = room;
    }
    l->p[l->n++] = x;
}
UNUSED static void paths_push(machine *m, paths_ *l, path x) {
    if (l->n == l->room) {
        int64_t room = l->room ? 2 * l->room : 16;
        path *p = taken(m, (size_t)room * sizeof *p);
        if (l->n) memcpy(p, l->p, (size_t)l->n * sizeof *p);
        l->p = p;
        l->room = room;
    }
    l->p[l->n++] = x;
}
/* by points, steps, space, and where one came from: a total order, so that the shape of the heap tells nothing */
static int before(const way *a, const way *b) {
    int d = f_cmp(a->spent, b->spent);
    if (d) return d < 0;
    if (a->steps != b->steps) return a->steps < b->steps;
    if (a->there != b->there) return a->there < b->there;
    if (a->from != b->from) return a->from < b->from;
    return a->border < b->border;
}
UNUSED static void heap_push(machine *m, ways_ *h, way x) {
    ways_push(m, h, x);
    int64_t k = h->n - 1;
    while (k > 0 && before(&x, &h->p[(k - 1) / 2])) { h->p[k] = h->p[(k - 1) / 2]; k = (k - 1) / 2; }
    h->p[k] = x;
}
UNUSED static way heap_pop(ways_ *h) {
    way top = h->p[0], x = h->p[--h->n];
    int64_t k = 0;
    for (int64_t c; (c = 2 * k + 1) < h->n; k = c) {
        if (c + 1 < h->n && before(&h->p[c + 1], &h->p[c])) c++;
        if (!before(&h->p[c], &x)) break;
        h->p[k] = h->p[c];
    }
    if (h->n) h->p[k] = x;
    return top;
}
UNUSED static int64_t f_whole(machine *m, frac a) {
    if (UNLIKELY(a.d != 1)) stop(m, BOUNDS);
    return a.n;
}
/* what is spent after a step; None when that is too much */
UNUSED static frac total_of(machine *m, const limits_ *l, frac spent, int64_t taken_, frac cost) {
    frac total = f_add(m, spent, cost);
    if (l->budget.d && f_cmp(total, l->budget) > 0)
        return l->always.d && f_cmp(f_of(taken_), l->always) >= 0 ? (frac){0, 0} : f_most(spent, l->budget);
    return total;
}
UNUSED static int may_go(const limits_ *l, int64_t steps) { return !l->most.d || f_cmp(f_of(steps), l->most) < 0; }
UNUSED static steps_i steps_i_of(machine *m, steps_f a) {
    steps_i b;
    b.n = a.n;
    for (int64_t k = 0; k < a.n; k++) { b.key[k] = a.key[k]; b.value[k] = f_whole(m, a.value[k]); }
    return b;
}

#define SEARCH_OF(N, G_, G, A, LIST_, FIRST_, FORM, MINIMUM, SHORT_, SIZE, TURN, RUNGS, MOST_STEPS) \
static int goes_on_##N(machine *m G, const limits_ *l, const way *w) { \
    if (w->from >= 0 && stop_##N(m A, w->from, w->border, w->there, w->steps - 1, w->spent)) return 0; \
    return may_go(l, w->steps); \
} \
UNUSED static void cheapest_##N(machine *m G, MS origins, frac spent, int64_t taken_, MS closed, ways_ *out) { \
    const limits_ l = limits_##N(m A); \
    way *found = taken(m, SPACES * sizeof *found); \
    MS known = origins; \
    ways_ heap = {0}; \
    for (int64_t here; (here = S_next(&origins)) >= 0 && here < SPACES; ) { \
        found[here] = (way){spent, taken_, (int32_t)here, -1, -1}; \
        heap_push(m, &heap, found[here]); \
    } \
    while (heap.n) { \
        way w = heap_pop(&heap); \
        const way came = found[w.there]; \
        if (f_cmp(came.spent, w.spent) || came.steps != w.steps || !goes_on_##N(m A, &l, &came)) continue; \
        charge(m, TURN); \
        for (int32_t k = FIRST_[w.there]; k < FIRST_[w.there + 1]; k++) { \
            const int32_t there = LIST_[k].there, border = LIST_[k].border; \
            if (S_in(&closed, there)) continue; \
            frac cost = price_##N(m A, w.there, border, there, w.steps, w.spent); \
            if (!cost.d) continue; \
            frac total = total_of(m, &l, w.spent, w.steps, cost); \
            if (!total.d) continue; \
            if (S_in(&known, there)) { \
                int d = f_cmp(total, found[there].spent); \
                if (d > 0 || (!d && w.steps + 1 >= found[there].steps)) continue; \
            } \
            S_put(&known, there); \
            found[there] = (way){total, w.steps + 1, there, w.there, border}; \
            heap_push(m, &heap, found[there]); \
        } \
    } \
    for (int64_t i; (i = S_next(&known)) >= 0 && i < SPACES; ) ways_push(m, out, found[i]); \
} \
UNUSED static void labels_##N(machine *m G, MS origins, frac spent, int64_t taken_, MS closed, ways_ *out) { \
    const limits_ l = limits_##N(m A); \
    paths_ starts = {0}, paths = {0}; \
    for (int64_t here; (here = S_next(&origins)) >= 0 && here < SPACES; ) \
        paths_push(m, &paths, (path){spent, taken_, (int32_t)here, -1, -1, closed}); \
    if (MINIMUM > 1) { \
        while (paths.n) { \
            path p = paths.p[--paths.n]; \
            const way w = {p.spent, p.steps, p.here, p.from, p.border}; \
            if (p.steps >= MINIMUM) { paths_push(m, &starts, p); continue; } \
            if (!goes_on_##N(m A, &l, &w)) continue; \
            S_put(&p.seen, p.here); \
            charge(m, TURN); \
            for (int32_t k = FIRST_[p.here]; k < FIRST_[p.here + 1]; k++) { \
                const int32_t there = LIST_[k].there, border = LIST_[k].border; \
                if (S_in(&p.seen, there)) continue; \
                frac cost = price_##N(m A, p.here, border, there, p.steps, p.spent); \
                if (!cost.d) continue; \
                frac total = total_of(m, &l, p.spent, p.steps, cost); \
                if (total.d) paths_push(m, &paths, (path){total, p.steps + 1, there, p.here, border, p.seen}); \
            } \
        } \
    } else starts = paths; \
    int64_t *shortest = taken(m, SPACES * sizeof *shortest); \
    for (int64_t s = 0; s < starts.n; s++) { \
        const path p = starts.p[s]; \
        ways_ heap = {0}; \
        for (int64_t i = 0; i < SPACES; i++) shortest[i] = MOST; \
        heap_push(m, &heap, (way){p.spent, p.steps, p.here, p.from, p.border}); \
        while (heap.n) { \
            const way w = heap_pop(&heap); \
            if (shortest[w.there] <= w.steps) continue; \
            shortest[w.there] = w.steps; \
            ways_push(m, out, w); \
            if (!goes_on_##N(m A, &l, &w)) continue; \
            charge(m, TURN); \
            for (int32_t k = FIRST_[w.there]; k < FIRST_[w.there + 1]; k++) { \
                const int32_t there = LIST_[k].there, border = LIST_[k].border; \
                if (S_in(&p.seen, there)) continue; \
                frac cost = price_##N(m A, w.there, border, there, w.steps, w.spent); \
                if (!cost.d) continue; \
                frac total = total_of(m, &l, w.spent, w.steps, cost); \
                if (total.d) heap_push(m, &heap, (way){total, w.steps + 1, there, w.there, border}); \
            } \
        } \
    } \
} \
UNUSED static void walk_##N(machine *m G, MS origins, ways_ *out) { \
    const limits_ l = limits_##N(m A); \
    const frac exactly = l.exactly.d ? l.exactly : f_of(0); \
    if (f_cmp(exactly, f_of(MOST_STEPS)) > 0) return; \
    way *found = taken(m, SPACES * sizeof *found); \
    MS known = S_of(0); \
    paths_ paths = {0}; \
    for (int64_t here; (here = S_next(&origins)) >= 0 && here < SPACES; ) \
        paths_push(m, &paths, (path){f_of(0), 0, (int32_t)here, -1, -1, S_bit(here)}); \
    while (paths.n) { \
        const path p = paths.p[--paths.n]; \
        if (!f_cmp(f_of(p.steps), exactly)) { \
            if (!S_in(&known, p.here) || f_cmp(p.spent, found[p.here].spent) < 0) \
                found[p.here] = (way){p.spent, p.steps, p.here, p.from, p.border}; \
            S_put(&known, p.here); \
            continue; \
        } \
        if (p.from >= 0 && stop_##N(m A, p.from, p.border, p.here, p.steps - 1, p.spent)) continue; \
        charge(m, TURN); \
        for (int32_t k = FIRST_[p.here]; k < FIRST_[p.here + 1]; k++) { \
            const int32_t there = LIST_[k].there, border = LIST_[k].border; \
            if (S_in(&p.seen, there)) continue; \
            frac cost = price_##N(m A, p.here, border, there, p.steps, p.spent); \
            if (!cost.d) continue; \
            frac total = f_add(m, p.spent, cost); \
            if (l.budget.d && f_cmp(total, l.budget) > 0) continue; \
            paths_push(m, &paths, (path){total, p.steps + 1, there, p.here, border, S_or(p.seen, S_bit(there))}); \
        } \
    } \
    for (int64_t i; (i = S_next(&known)) >= 0 && i < SPACES; ) ways_push(m, out, found[i]); \
} \
static void ways_##N(machine *m G, MS origins, frac spent, int64_t taken_, MS closed, ways_ *out) { \
    if (FORM == 3) stop(m, SEARCH); \
    if (FORM == 1) { walk_##N(m A, origins, out); return; } \
    if (FORM == 2) { \
        int enough = 0; \
        if (SHORT_) { const limits_ l = limits_##N(m A); enough = !l.most.d || f_cmp(l.most, f_of(SIZE)) >= 0; } \
        if (!enough) { labels_##N(m A, origins, spent, taken_, closed, out); return; } \
    } \
    cheapest_##N(m A, origins, spent, taken_, closed, out); \
} \
UNUSED static MS search_ends_##N(machine *m G) { \
    char *mark = m->top; \
    ways_ all = {0}; \
    MS ends = S_of(0); \
    int64_t best = 999; \
    ways_##N(m A, start_##N(m A), f_of(0), 0, S_of(0), &all); \
    for (int64_t k = 0; k < all.n; k++) { \
        const way *w = &all.p[k]; \
        if (w->steps < MINIMUM || !end_##N(m A, w->from, w->border, w->there, w->steps, w->spent)) continue; \
        if (RUNGS) { \
            int64_t rung = rung_##N(m A, w->from, w->border, w->there, w->steps, w->spent); \
            if (rung > best || rung >= 999) continue; \
            if (rung < best) { best = rung; ends = S_of(0); } \
        } \
        S_put(&ends, w->there); \
    } \
    m->top = mark; \
    return ends; \
} \
/* every legal end of a path that goes on from `at`; `out` NULL: only the best rung is asked for */ \
UNUSED static int64_t beyond_##N(machine *m G, int64_t at, frac spent, int64_t taken_, MS seen, int64_t best, steps_f *out) { \
    const limits_ l = limits_##N(m A); \
    const int one = !RUNGS && FORM != 2; \
    if (!may_go(&l, taken_)) return best; \
    charge(m, TURN); \
    for (int32_t k = FIRST_[at]; k < FIRST_[at + 1]; k++) { \
        const int32_t first = LIST_[k].there, over = LIST_[k].border; \
        if (S_in(&seen, first)) continue; \
        frac cost = price_##N(m A, at, over, first, taken_, spent); \
        if (!cost.d) continue; \
        frac total = total_of(m, &l, spent, taken_, cost); \
        if (!total.d) continue; \
        int64_t known = -1; \
        for (int64_t i = 0; out && i < out->n; i++) if (out->key[i] == first) known = i; \
        if (one && known >= 0 && f_cmp(out->value[known], total) <= 0) continue; \
        int found = 0; \
        if ((one || taken_ + 1 >= MINIMUM) && end_##N(m A, at, over, first, taken_ + 1, total)) { \
            int64_t rung = RUNGS ? rung_##N(m A, at, over, first, taken_ + 1, total) : best; \
            if (!out) best = rung < best ? rung : best; \
            else if (rung == best) found = 1; \
        } \
        if (!(one && found) && !stop_##N(m A, at, over, first, taken_, total)) { \
            char *mark = m->top; \
            ways_ all = {0}; \
            if (one) cheapest_##N(m A, S_bit(first), total, taken_ + 1, seen, &all); \
            else ways_##N(m A, S_bit(first), total, taken_ + 1, seen, &all); \
            for (int64_t i = 0; i < all.n && !(one && found); i++) { \
                const way *w = &all.p[i]; \
                if (w->steps <= taken_ + 1 || (w->steps < MINIMUM && !one)) continue; \
                if (!end_##N(m A, w->from, w->border, w->there, w->steps, w->spent)) continue; \
                int64_t rung = RUNGS ? rung_##N(m A, w->from, w->border, w->there, w->steps, w->spent) : best; \
                if (!out) best = rung < best ? rung : best; \
                else if (rung == best) found = 1; \
            } \
            m->top = mark; \
        } \
        if (!found) continue; \
        if (known >= 0) { if (f_cmp(total, out->value[known]) < 0) out->value[known] = total; } \
        else steps_f_put(m, out, first, total); \
    } \
    return best; \
} \
UNUSED static int64_t search_best_##N(machine *m G, int64_t at, frac spent, int64_t taken_, MS seen) { \
    return beyond_##N(m A, at, spent, taken_, seen, 999, NULL); \
} \
UNUSED static steps_f search_steps_##N(machine *m G, int64_t at, frac spent, int64_t taken_, MS seen) { \
    steps_f out; \
    out.n = 0; \
    int64_t best = 999; \
    if (RUNGS) { \
        best = beyond_##N(m A, at, spent, taken_, seen, 999, NULL); \
        if (best == 999) return out; \
    } \
    beyond_##N(m A, at, spent, taken_, seen, best, &out); \
    return out; \
}
