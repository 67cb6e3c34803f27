/* A machine is made and given back: the same for whole games and for games that stop at decisions. What only one of
   them has, `made` begins and `parted` gives back; both stand before this. */
EXPORT void native_free(machine *m) {
    if (!m) return;
    forget_links(m);
    for (int64_t i = 0; i < SPACES; i++) free(m->rows[i]);
    for (int k = 0; k < MEMORIES; k++) free(m->memory[k]);
    for (int k = 0; k < DENSES; k++) free(m->dense[k]);
    parted(m);
    free(m->history);
    free(m->memos);
    free(m->arena);
    free(m);
}
EXPORT machine *native_new(const char *data, oracle ask) {
    size_t size = (sizeof(machine) + 63) & ~(size_t)63;
    machine *m = aligned_alloc(64, size);
    if (!m) return NULL;
    memset(m, 0, size);
    m->data = data;
    m->ask = ask;
    made(m);
    m->arena = malloc(ARENA);
    m->memos = calloc(MEMOS, sizeof *m->memos);
    if (!m->arena || !m->memos) { native_free(m); return NULL; }
    m->arena_end = m->arena + ARENA;
    return m;
}
