/* What native games call, the same for every game: words, masks of words, exact fractions, dice.
   `machine` is declared by the generated text, which includes this file first and `runtime_games.h` later. */
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define NONE INT64_MIN
#define MOST INT64_MAX
#define UNUSED __attribute__((unused))

typedef struct machine machine;
/* why a game is given back to Python */
enum { OVER = 1, FUEL = 2, TOO_LARGE = 3, NO_RESULT = 4, OPTIONS = 5, DEPTH = 6, BOUNDS = 7, NOBODY = 8,
       DECISIONS = 9, MEMORY = 10, FELL = 11, SEARCH = 12 };
_Noreturn static void stop(machine *m, int why);

/* ---- numbers ------------------------------------------------------------------------------------------ */
static inline int64_t i_add(machine *m, int64_t a, int64_t b) {
    int64_t r;
    if (UNLIKELY(__builtin_add_overflow(a, b, &r)) || r == NONE) stop(m, TOO_LARGE);
    return r;
}
static inline int64_t i_sub(machine *m, int64_t a, int64_t b) {
    int64_t r;
    if (UNLIKELY(__builtin_sub_overflow(a, b, &r)) || r == NONE) stop(m, TOO_LARGE);
    return r;
}
static inline int64_t i_mul(machine *m, int64_t a, int64_t b) {
    int64_t r;
    if (UNLIKELY(__builtin_mul_overflow(a, b, &r)) || r == NONE) stop(m, TOO_LARGE);
    return r;
}
UNUSED static inline int64_t i_div(machine *m, int64_t a, int64_t b) { /* rounds down */
    if (UNLIKELY(b == 0)) stop(m, BOUNDS);
    if (b == -1) return -a;
    int64_t q = a / b;
    return q - (a % b != 0 && (a < 0) != (b < 0));
}
UNUSED static inline int64_t i_mod(machine *m, int64_t a, int64_t b) { /* the sign of b */
    if (UNLIKELY(b == 0)) stop(m, BOUNDS);
    if (b == -1) return 0;
    int64_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
UNUSED static inline int64_t i_least(int64_t a, int64_t b) { return b < a ? b : a; }
UNUSED static inline int64_t i_most(int64_t a, int64_t b) { return b > a ? b : a; }
UNUSED static inline int64_t i_abs(int64_t a) { return a < 0 ? -a : a; }
UNUSED static inline int i_true(int64_t a) { return a != 0 && a != NONE; }
#define LARGEST 1000000000000000000LL
UNUSED static inline int64_t i_kept(machine *m, int64_t a) {
    if (UNLIKELY(a > LARGEST || a < -LARGEST)) stop(m, TOO_LARGE);
    return a;
}
UNUSED static inline int64_t i_sure(machine *m, int64_t a) { /* a number that is not None */
    if (UNLIKELY(a == NONE)) stop(m, BOUNDS);
    return a;
}
/* an index from `low` below `end` */
UNUSED static inline int64_t ix(machine *m, int64_t i, int64_t low, int64_t end) {
    if (UNLIKELY(i < low || i >= end)) stop(m, BOUNDS);
    return i;
}

/* ---- exact fractions: the denominator is above 0; 0 stands for None ------------------------------------- */
typedef struct { int64_t n, d; } frac;
typedef __int128 wide;
UNUSED static inline frac f_of(int64_t n) { return (frac){n, 1}; }
UNUSED static inline frac f_opt(int64_t n) { return n == NONE ? (frac){0, 0} : (frac){n, 1}; }
UNUSED static inline frac f_sure(machine *m, frac a) {
    if (UNLIKELY(a.d == 0)) stop(m, BOUNDS);
    return a;
}
static inline wide w_gcd(wide a, wide b) {
    if (a < 0) a = -a;
    if (b < 0) b = -b;
    while (b) { wide t = a % b; a = b; b = t; }
    return a;
}
static inline frac f_make(machine *m, wide n, wide d) {
    if (d == 1) {
        if (UNLIKELY(n > MOST || n <= NONE)) stop(m, TOO_LARGE);
        return (frac){(int64_t)n, 1};
    }
    if (UNLIKELY(d == 0)) stop(m, BOUNDS);
    if (d < 0) { n = -n; d = -d; }
    wide g = w_gcd(n, d);
    if (g > 1) { n /= g; d /= g; }
    if (UNLIKELY(n > MOST || n <= NONE || d > LARGEST)) stop(m, TOO_LARGE);
    return (frac){(int64_t)n, (int64_t)d};
}
/* products of words fit two words; a sum of two of them may not: those stop */
static inline wide w_add(machine *m, wide a, wide b) {
    wide r;
    if (UNLIKELY(__builtin_add_overflow(a, b, &r))) stop(m, TOO_LARGE);
    return r;
}
UNUSED static inline frac f_add(machine *m, frac a, frac b) {
    if (a.d == 1 && b.d == 1) return (frac){i_add(m, a.n, b.n), 1};
    return f_make(m, w_add(m, (wide)a.n * b.d, (wide)b.n * a.d), (wide)a.d * b.d);
}
UNUSED static inline frac f_neg(frac a) { return (frac){-a.n, a.d}; }
UNUSED static inline frac f_sub(machine *m, frac a, frac b) { return f_add(m, a, f_neg(b)); }
UNUSED static inline frac f_mul(machine *m, frac a, frac b) {
    if (a.d == 1 && b.d == 1) return (frac){i_mul(m, a.n, b.n), 1};
    return f_make(m, (wide)a.n * b.n, (wide)a.d * b.d);
}
UNUSED static inline frac f_divide(machine *m, frac a, frac b) { /* by nothing: nothing */
    if (b.n == 0) return (frac){0, 1};
    return f_make(m, (wide)a.n * b.d, (wide)a.d * b.n);
}
UNUSED static inline int f_cmp(frac a, frac b) {
    if (a.d == b.d) return (a.n > b.n) - (a.n < b.n);
    wide x = (wide)a.n * b.d, y = (wide)b.n * a.d;
    return (x > y) - (x < y);
}
UNUSED static inline int64_t f_floor(frac a) {
    int64_t q = a.n / a.d;
    return q - (a.n % a.d != 0 && a.n < 0);
}
UNUSED static inline int64_t f_ceil(frac a) { return -f_floor(f_neg(a)); }
UNUSED static inline int64_t f_nearest(machine *m, frac a) { return f_floor(f_add(m, a, (frac){1, 2})); }
UNUSED static inline int64_t f_floordiv(machine *m, frac a, frac b) {
    if (UNLIKELY(b.n == 0)) stop(m, BOUNDS);
    return f_floor(f_divide(m, a, b));
}
UNUSED static inline frac f_mod(machine *m, frac a, frac b) {
    return f_sub(m, a, f_mul(m, b, f_of(f_floordiv(m, a, b))));
}
UNUSED static inline frac f_least(frac a, frac b) { return f_cmp(b, a) < 0 ? b : a; }
UNUSED static inline frac f_most(frac a, frac b) { return f_cmp(b, a) > 0 ? b : a; }
UNUSED static inline frac f_abs(frac a) { return a.n < 0 ? f_neg(a) : a; }
UNUSED static inline frac f_kept(machine *m, frac a) {
    if (UNLIKELY(f_cmp(a, f_of(LARGEST)) > 0 || f_cmp(a, f_of(-LARGEST)) < 0)) stop(m, TOO_LARGE);
    return a;
}
UNUSED static inline frac f_odds(machine *m, frac a, frac b) {
    if (b.n <= 0) return f_of(1000);
    if (a.n <= 0) return (frac){1, 1000};
    if (f_cmp(a, b) >= 0) return f_of(f_floordiv(m, a, b));
    return f_make(m, 1, -(wide)f_floordiv(m, f_neg(b), a));
}

/* ---- masks: one word, two words, or an array ------------------------------------------------------------ */
typedef uint64_t m1;
typedef unsigned __int128 m2;
UNUSED static inline m1 m1_of(int64_t a) { return (m1)a; }
UNUSED static inline m1 m1_and(m1 a, m1 b) { return a & b; }
UNUSED static inline m1 m1_or(m1 a, m1 b) { return a | b; }
UNUSED static inline m1 m1_xor(m1 a, m1 b) { return a ^ b; }
UNUSED static inline m1 m1_not(m1 a) { return ~a; }
UNUSED static inline int m1_nz(m1 a) { return a != 0; }
UNUSED static inline int m1_eq(m1 a, m1 b) { return a == b; }
UNUSED static inline int m1_neg(m1 a) { return (int)(a >> 63); }
UNUSED static inline int64_t m1_count(m1 a) { return __builtin_popcountll(a); }
UNUSED static inline int64_t m1_first(m1 a) { return a ? __builtin_ctzll(a) : -1; }
UNUSED static inline int64_t m1_last(m1 a) { return a ? 63 - __builtin_clzll(a) : -1; }
UNUSED static inline m1 m1_bit(int64_t i) { return (uint64_t)i < 64 ? (m1)1 << i : 0; }
UNUSED static inline int m1_in(const m1 *a, int64_t i) { return (uint64_t)i < 64 && (*a >> i & 1); }
UNUSED static inline int m1_has(m1 a, int64_t i) { return (uint64_t)i < 64 && (a >> i & 1); }
UNUSED static inline void m1_put(m1 *a, int64_t i) { *a |= m1_bit(i); }
UNUSED static inline void m1_cut(m1 *a, int64_t i) { *a &= ~m1_bit(i); }
UNUSED static inline void m1_flip(m1 *a, int64_t i) { *a ^= m1_bit(i); }
UNUSED static inline m1 m1_shl(m1 a, int k) { return k < 64 ? a << k : 0; }
UNUSED static inline m1 m1_shr(m1 a, int k) { return k < 64 ? a >> k : 0; }
UNUSED static inline m1 m1_drop(m1 a) { return a & (a - 1); }
UNUSED static inline uint64_t m1_word(const m1 *a, int k) { (void)k; return *a; }
UNUSED static inline int64_t m1_next(m1 *a) {
    if (!*a) return -1;
    int64_t i = __builtin_ctzll(*a);
    *a &= *a - 1;
    return i;
}
static inline int64_t word_nth(uint64_t w, int64_t i) {
#if defined(__BMI2__)
    return __builtin_ctzll(__builtin_ia32_pdep_di(1ULL << i, w));
#else
    int64_t at = 0;
    for (int half = 32; half >= 8; half >>= 1) {
        int64_t n = __builtin_popcountll(w & ((1ULL << half) - 1));
        if (i >= n) { i -= n; at += half; w >>= half; }
    }
    while (i--) w &= w - 1;
    return at + __builtin_ctzll(w);
#endif
}
UNUSED static inline int64_t m1_nth(machine *m, m1 a, int64_t i) {
    if (UNLIKELY(i < 0 || i >= __builtin_popcountll(a))) stop(m, BOUNDS);
    return word_nth(a, i);
}

UNUSED static inline m2 m2_of(int64_t a) { return (m2)(wide)a; }
UNUSED static inline m2 m2_and(m2 a, m2 b) { return a & b; }
UNUSED static inline m2 m2_or(m2 a, m2 b) { return a | b; }
UNUSED static inline m2 m2_xor(m2 a, m2 b) { return a ^ b; }
UNUSED static inline m2 m2_not(m2 a) { return ~a; }
UNUSED static inline int m2_nz(m2 a) { return a != 0; }
UNUSED static inline int m2_eq(m2 a, m2 b) { return a == b; }
UNUSED static inline int m2_neg(m2 a) { return (int)(a >> 127); }
UNUSED static inline int64_t m2_count(m2 a) {
    return __builtin_popcountll((uint64_t)a) + __builtin_popcountll((uint64_t)(a >> 64));
}
UNUSED static inline int64_t m2_first(m2 a) {
    uint64_t low = (uint64_t)a, high = (uint64_t)(a >> 64);
    return low ? __builtin_ctzll(low) : high ? 64 + __builtin_ctzll(high) : -1;
}
UNUSED static inline int64_t m2_last(m2 a) {
    uint64_t low = (uint64_t)a, high = (uint64_t)(a >> 64);
    return high ? 127 - __builtin_clzll(high) : low ? 63 - __builtin_clzll(low) : -1;
}
UNUSED static inline m2 m2_bit(int64_t i) { return (uint64_t)i < 128 ? (m2)1 << i : 0; }
UNUSED static inline int m2_in(const m2 *a, int64_t i) { return (uint64_t)i < 128 && (int)(*a >> i & 1); }
UNUSED static inline int m2_has(m2 a, int64_t i) { return (uint64_t)i < 128 && (int)(a >> i & 1); }
UNUSED static inline void m2_put(m2 *a, int64_t i) { *a |= m2_bit(i); }
UNUSED static inline void m2_cut(m2 *a, int64_t i) { *a &= ~m2_bit(i); }
UNUSED static inline void m2_flip(m2 *a, int64_t i) { *a ^= m2_bit(i); }
UNUSED static inline m2 m2_shl(m2 a, int k) { return k < 128 ? a << k : 0; }
UNUSED static inline m2 m2_shr(m2 a, int k) { return k < 128 ? a >> k : 0; }
UNUSED static inline m2 m2_drop(m2 a) { return a & (a - 1); }
UNUSED static inline uint64_t m2_word(const m2 *a, int k) { return (uint64_t)(*a >> (64 * k)); }
UNUSED static inline int64_t m2_next(m2 *a) {
    uint64_t low = (uint64_t)*a;
    if (low) {
        *a &= *a - 1;
        return __builtin_ctzll(low);
    }
    uint64_t high = (uint64_t)(*a >> 64);
    if (!high) return -1;
    *a = (m2)(high & (high - 1)) << 64;
    return 64 + __builtin_ctzll(high);
}
UNUSED static inline int64_t m2_nth(machine *m, m2 a, int64_t i) {
    uint64_t low = (uint64_t)a;
    int64_t n = __builtin_popcountll(low);
    if (i < n) return m1_nth(m, low, i);
    return 64 + m1_nth(m, (uint64_t)(a >> 64), i - n);
}

#define MASK(N) \
typedef struct { uint64_t w[N]; } m##N; \
UNUSED static inline m##N m##N##_of(int64_t a) { \
    m##N r; r.w[0] = (uint64_t)a; for (int k = 1; k < N; k++) r.w[k] = (uint64_t)(a >> 63); return r; } \
UNUSED static inline m##N m##N##_and(m##N a, m##N b) { for (int k = 0; k < N; k++) a.w[k] &= b.w[k]; return a; } \
UNUSED static inline m##N m##N##_or(m##N a, m##N b) { for (int k = 0; k < N; k++) a.w[k] |= b.w[k]; return a; } \
UNUSED static inline m##N m##N##_xor(m##N a, m##N b) { for (int k = 0; k < N; k++) a.w[k] ^= b.w[k]; return a; } \
UNUSED static inline m##N m##N##_not(m##N a) { for (int k = 0; k < N; k++) a.w[k] = ~a.w[k]; return a; } \
UNUSED static inline int m##N##_nz(m##N a) { uint64_t x = 0; for (int k = 0; k < N; k++) x |= a.w[k]; return x != 0; } \
UNUSED static inline int m##N##_eq(m##N a, m##N b) { uint64_t x = 0; for (int k = 0; k < N; k++) x |= a.w[k] ^ b.w[k]; return x == 0; } \
UNUSED static inline int m##N##_neg(m##N a) { return (int)(a.w[N - 1] >> 63); } \
UNUSED static inline int64_t m##N##_count(m##N a) { int64_t n = 0; for (int k = 0; k < N; k++) n += __builtin_popcountll(a.w[k]); return n; } \
UNUSED static inline int64_t m##N##_first(m##N a) { for (int k = 0; k < N; k++) if (a.w[k]) return 64 * k + __builtin_ctzll(a.w[k]); return -1; } \
UNUSED static inline int64_t m##N##_last(m##N a) { for (int k = N - 1; k >= 0; k--) if (a.w[k]) return 64 * k + 63 - __builtin_clzll(a.w[k]); return -1; } \
UNUSED static inline m##N m##N##_bit(int64_t i) { m##N r = {{0}}; if ((uint64_t)i < 64 * N) r.w[i >> 6] = 1ULL << (i & 63); return r; } \
UNUSED static inline int m##N##_has(m##N a, int64_t i) { return (uint64_t)i < 64 * N && (a.w[i >> 6] >> (i & 63) & 1); } \
UNUSED static inline void m##N##_put(m##N *a, int64_t i) { if ((uint64_t)i < 64 * N) a->w[i >> 6] |= 1ULL << (i & 63); } \
UNUSED static inline void m##N##_cut(m##N *a, int64_t i) { if ((uint64_t)i < 64 * N) a->w[i >> 6] &= ~(1ULL << (i & 63)); } \
UNUSED static inline void m##N##_flip(m##N *a, int64_t i) { if ((uint64_t)i < 64 * N) a->w[i >> 6] ^= 1ULL << (i & 63); } \
UNUSED static inline int m##N##_in(const m##N *a, int64_t i) { return (uint64_t)i < 64 * N && (a->w[i >> 6] >> (i & 63) & 1); } \
UNUSED static inline m##N m##N##_shl(m##N a, int by) { m##N r = {{0}}; int q = by >> 6, b = by & 63; \
    for (int k = N - 1; k >= q; k--) r.w[k] = a.w[k - q] << b | (b && k > q ? a.w[k - q - 1] >> (64 - b) : 0); return r; } \
UNUSED static inline m##N m##N##_shr(m##N a, int by) { m##N r = {{0}}; int q = by >> 6, b = by & 63; \
    for (int k = 0; k + q < N; k++) r.w[k] = a.w[k + q] >> b | (b && k + q + 1 < N ? a.w[k + q + 1] << (64 - b) : 0); return r; } \
UNUSED static inline m##N m##N##_drop(m##N a) { for (int k = 0; k < N; k++) if (a.w[k]) { a.w[k] &= a.w[k] - 1; break; } return a; } \
UNUSED static inline uint64_t m##N##_word(const m##N *a, int k) { return a->w[k]; } \
UNUSED static inline int64_t m##N##_next(m##N *a) { for (int k = 0; k < N; k++) if (a->w[k]) { \
    int64_t i = 64 * k + __builtin_ctzll(a->w[k]); a->w[k] &= a->w[k] - 1; return i; } return -1; } \
UNUSED static inline int64_t m##N##_nth(machine *m, m##N a, int64_t i) { for (int k = 0; k < N; k++) { \
    int64_t n = __builtin_popcountll(a.w[k]); if (i < n) return 64 * k + m1_nth(m, a.w[k], i); i -= n; } stop(m, BOUNDS); }

/* from A words to B words; a complement keeps its sign (S) */
#define RESIZE(A, B) \
UNUSED static inline m##B m##B##_from##A(m##A a, int S) { union { m##B m; uint64_t w[B]; } r; \
    uint64_t fill = S && m##A##_neg(a) ? ~0ULL : 0; \
    for (int k = 0; k < B; k++) r.w[k] = k < A ? m##A##_word(&a, k) : fill; return r.m; }

/* ---- SHA-256 (FIPS 180-4) ------------------------------------------------------------------------------- */
static const uint32_t SHA_K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
#define ROR(x, n) ((x) >> (n) | (x) << (32 - (n)))
static void sha_block(uint32_t h[8], const unsigned char *p) {
    uint32_t w[64];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t x = w[i - 15], y = w[i - 2];
        w[i] = w[i - 16] + (ROR(x, 7) ^ ROR(x, 18) ^ x >> 3) + w[i - 7] + (ROR(y, 17) ^ ROR(y, 19) ^ y >> 10);
    }
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], k = h[7];
    for (int i = 0; i < 64; i++) {
        uint32_t t = k + (ROR(e, 6) ^ ROR(e, 11) ^ ROR(e, 25)) + ((e & f) ^ (~e & g)) + SHA_K[i] + w[i];
        uint32_t u = (ROR(a, 2) ^ ROR(a, 13) ^ ROR(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        k = g; g = f; f = e; e = d + t; d = c; c = b; b = a; a = t + u;
    }
    h[0] += a; h[1] += b; h[2] += c; h[3] += d; h[4] += e; h[5] += f; h[6] += g; h[7] += k;
}
static void sha256(const unsigned char *text, size_t length, uint64_t out[4]) {
    uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    size_t at = 0;
    for (; length - at >= 64; at += 64) sha_block(h, text + at);
    unsigned char last[128] = {0};
    size_t rest = length - at, end = rest < 56 ? 64 : 128;
    memcpy(last, text + at, rest);
    last[rest] = 0x80;
    for (int i = 0; i < 8; i++) last[end - 1 - i] = (unsigned char)((uint64_t)length * 8 >> (8 * i));
    sha_block(h, last);
    if (end == 128) sha_block(h, last + 64);
    for (int i = 0; i < 4; i++) out[i] = (uint64_t)h[2 * i] << 32 | h[2 * i + 1];
}

/* ---- chance: SHA-256 of "seed/purpose/count/die/salt" (running/dice.py) ---------------------------------- */
#define LONGEST 512 /* bytes of a seed with its purpose; longer ones are for Python */
static size_t put_number(unsigned char *out, uint64_t n) {
    unsigned char digits[20];
    size_t k = 0;
    do digits[k++] = (unsigned char)('0' + n % 10); while (n /= 10);
    for (size_t i = 0; i < k; i++) out[i] = digits[k - 1 - i];
    return k;
}
/* `text` holds "seed/purpose/" and has room behind it */
static uint64_t fair_number(unsigned char *text, size_t length, uint64_t count, uint64_t die, uint64_t faces) {
    uint64_t bad = (0 - faces) % faces; /* 2^64 modulo faces */
    length += put_number(text + length, count);
    text[length++] = '/';
    length += put_number(text + length, die);
    text[length++] = '/';
    for (uint64_t salt = 0;; salt++) {
        uint64_t words[4];
        sha256(text, length + put_number(text + length, salt), words);
        for (int k = 0; k < 4; k++)
            if (!bad || words[k] < 0 - bad) return words[k] % faces;
    }
}
