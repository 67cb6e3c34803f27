/* Positions as text and as a number (running/positions.py): BLAKE2b (RFC 7693) with a digest of 8 bytes. */
static void put(machine *m, const char *text) {
    size_t n = strlen(text);
    if (UNLIKELY((size_t)(m->arena_end - m->writing) < n + 32)) stop(m, MEMORY);
    memcpy(m->writing, text, n);
    m->writing += n;
}
static size_t decimal(unsigned char *out, int64_t n) {
    if (n >= 0) return put_number(out, (uint64_t)n);
    *out = '-';
    return 1 + put_number(out + 1, 0 - (uint64_t)n);
}
static void put_i(machine *m, int64_t n) {
    if (UNLIKELY((size_t)(m->arena_end - m->writing) < 64)) stop(m, MEMORY);
    m->writing += decimal((unsigned char *)m->writing, n);
}
/* the first of a row is a number, the others are words: "10" comes before "9" */
static int in_words(int64_t a, int64_t b) {
    if (a == b) return 0;
    if (a >= 0 && a < 10 && b >= 0 && b < 10) return a < b ? -1 : 1;
    unsigned char x[24], y[24];
    size_t n = decimal(x, a), k = decimal(y, b);
    int d = memcmp(x, y, n < k ? n : k);
    return d ? d : n < k ? -1 : 1;
}
UNUSED static void sort_rows(int64_t *rows, int count, int wide_) {
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0; j--) {
            int64_t *a = rows + (j - 1) * wide_, *b = rows + j * wide_;
            int d = a[0] < b[0] ? -1 : a[0] > b[0];
            for (int k = 1; !d && k < wide_; k++) d = in_words(a[k], b[k]);
            if (d <= 0) break;
            for (int k = 0; k < wide_; k++) { int64_t t = a[k]; a[k] = b[k]; b[k] = t; }
        }
}
UNUSED static void put_rows(machine *m, const int64_t *rows, int count, int wide_) {
    for (int i = 0; i < count; i++) {
        put(m, i ? ", (" : "(");
        put_i(m, rows[i * wide_]);
        if (wide_ == 1) put(m, ",");
        for (int k = 1; k < wide_; k++) {
            put(m, ", '");
            put_i(m, rows[i * wide_ + k]);
            put(m, "'");
        }
        put(m, ")");
    }
}
static inline void key_put(uint64_t key[2], uint64_t x) {
    uint64_t a = (key[0] ^ x) * 0x9e3779b97f4a7c15ULL, b = (key[1] + x) * 0xc2b2ae3d27d4eb4fULL;
    key[0] = a ^ a >> 32;
    key[1] = b ^ b >> 29;
}
static const unsigned char B_SIGMA[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};
static const uint64_t B_IV[8] = {
    0x6a09e667f3bcc908ULL, 0xbb67ae8584caa73bULL, 0x3c6ef372fe94f82bULL, 0xa54ff53a5f1d36f1ULL,
    0x510e527fade682d1ULL, 0x9b05688c2b3e6c1fULL, 0x1f83d9abfb41bd6bULL, 0x5be0cd19137e2179ULL};
#define ROR64(x, n) ((x) >> (n) | (x) << (64 - (n)))
#define B_MIX(a, b, c, d, x, y) \
    v[a] += v[b] + (x); v[d] = ROR64(v[d] ^ v[a], 32); v[c] += v[d]; v[b] = ROR64(v[b] ^ v[c], 24); \
    v[a] += v[b] + (y); v[d] = ROR64(v[d] ^ v[a], 16); v[c] += v[d]; v[b] = ROR64(v[b] ^ v[c], 63);
static void b_block(uint64_t h[8], const unsigned char *p, uint64_t done, int last) {
    uint64_t v[16], w[16];
    for (int i = 0; i < 16; i++) {
        w[i] = 0;
        for (int k = 7; k >= 0; k--) w[i] = w[i] << 8 | p[8 * i + k];
    }
    for (int i = 0; i < 8; i++) { v[i] = h[i]; v[i + 8] = B_IV[i]; }
    v[12] ^= done;
    if (last) v[14] = ~v[14];
    for (int r = 0; r < 12; r++) {
        const unsigned char *s = B_SIGMA[r % 10];
        B_MIX(0, 4, 8, 12, w[s[0]], w[s[1]]) B_MIX(1, 5, 9, 13, w[s[2]], w[s[3]])
        B_MIX(2, 6, 10, 14, w[s[4]], w[s[5]]) B_MIX(3, 7, 11, 15, w[s[6]], w[s[7]])
        B_MIX(0, 5, 10, 15, w[s[8]], w[s[9]]) B_MIX(1, 6, 11, 12, w[s[10]], w[s[11]])
        B_MIX(2, 7, 8, 13, w[s[12]], w[s[13]]) B_MIX(3, 4, 9, 14, w[s[14]], w[s[15]])
    }
    for (int i = 0; i < 8; i++) h[i] ^= v[i] ^ v[i + 8];
}
static uint64_t blake2b_8(const unsigned char *text, size_t length) {
    uint64_t h[8];
    for (int i = 0; i < 8; i++) h[i] = B_IV[i];
    h[0] ^= 0x01010000 ^ 8;
    size_t at = 0;
    for (; length - at > 128; at += 128) b_block(h, text + at, at + 128, 0);
    unsigned char last[128] = {0};
    memcpy(last, text + at, length - at);
    b_block(h, last, length, 1);
    return __builtin_bswap64(h[0]);
}
