/* The peers of the benchmarks: three maps, two feedback integrators and a sweep as one would write them by hand in C.
 *
 * They write what nhviz writes, one value per step and component. Each function returns the number
 * of samples written: steps + 1 unless Newton's method did not converge.
 */
#include <math.h>

enum { ROUNDS = 25 };

/* Displacement (x, y) = (eps/2)(u, v) with scaled momentum (m1, m2), by Newton from a guess. */
static int suslov_solve(const double inertia[4], double m1, double m2, double *px, double *py)
{
    const double i11 = inertia[0], i22 = inertia[1], i13 = inertia[2], i23 = inertia[3];
    double x = *px, y = *py;
    for (int round = 0; round < ROUNDS; round++) {
        const double k = i13 * x + i23 * y, d = 1.0 + x * x + y * y;
        const double f = i11 * x + y * k - m1 * d, g = i22 * y - x * k - m2 * d;
        const double fx = i11 + y * i13 - 2.0 * m1 * x, fy = k + y * i23 - 2.0 * m1 * y;
        const double gx = -k - x * i13 - 2.0 * m2 * x, gy = i22 - x * i23 - 2.0 * m2 * y;
        const double over = 1.0 / (fx * gy - fy * gx);
        const double dx = (gy * f - fy * g) * over, dy = (fx * g - gx * f) * over;
        x -= dx;
        y -= dy;
        /* Newton doubles the digits: after such a correction the next is below round-off. */
        if (fabs(dx) + fabs(dy) <= 1e-8 * (fabs(x) + fabs(y))) {
            *px = x;
            *py = y;
            return 1;
        }
    }
    return 0;
}

static void write_rotation(const double q[4], double *r)
{
    const double q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3];
    r[0] = 1.0 - 2.0 * (q2 * q2 + q3 * q3);
    r[1] = 2.0 * (q1 * q2 - q0 * q3);
    r[2] = 2.0 * (q1 * q3 + q0 * q2);
    r[3] = 2.0 * (q1 * q2 + q0 * q3);
    r[4] = 1.0 - 2.0 * (q1 * q1 + q3 * q3);
    r[5] = 2.0 * (q2 * q3 - q0 * q1);
    r[6] = 2.0 * (q1 * q3 - q0 * q2);
    r[7] = 2.0 * (q2 * q3 + q0 * q1);
    r[8] = 1.0 - 2.0 * (q1 * q1 + q2 * q2);
}

/* q <- q (1, x, y, 0), normalised. */
static void turn(double q[4], double x, double y)
{
    const double w0 = q[0] - q[1] * x - q[2] * y, w1 = q[1] + q[0] * x - q[3] * y;
    const double w2 = q[2] + q[0] * y + q[3] * x, w3 = q[3] + q[1] * y - q[2] * x;
    const double scale = 1.0 / sqrt(w0 * w0 + w1 * w1 + w2 * w2 + w3 * w3);
    q[0] = scale * w0;
    q[1] = scale * w1;
    q[2] = scale * w2;
    q[3] = scale * w3;
}

/* Moser-Veselov map of the Suslov top; inertia = (I11, I22, I13, I23). Without r, no attitude. */
long suslov_orbit(const double inertia[4], double m1, double m2, double eps, long steps, double *restrict u,
                  double *restrict v, double *restrict M1, double *restrict M2, double *restrict M3, double *restrict r)
{
    const double i11 = inertia[0], i22 = inertia[1], i13 = inertia[2], i23 = inertia[3];
    const double half = 0.5 * eps, back = 1.0 / half;
    double q[4] = {1.0, 0.0, 0.0, 0.0};
    double x, y, xa = 0.0, ya = 0.0, xb = 0.0, yb = 0.0;
    m1 *= half;
    m2 *= half;
    x = m1 / i11;
    y = m2 / i22;
    for (long n = 0; n <= steps; n++) {
        double xn = x, yn = y;
        if (n > 2) {
            xn = 3.0 * (x - xa) + xb;
            yn = 3.0 * (y - ya) + yb;
        }
        if (!suslov_solve(inertia, m1, m2, &xn, &yn))
            return n;
        xb = xa;
        yb = ya;
        xa = x;
        ya = y;
        x = xn;
        y = yn;
        const double k = i13 * x + i23 * y, over = 1.0 / (1.0 + x * x + y * y);
        u[n] = back * x;
        v[n] = back * y;
        M1[n] = back * m1;
        M2[n] = back * m2;
        M3[n] = back * over * (k + (i22 - i11) * x * y);
        m1 -= 2.0 * y * k * over;
        m2 += 2.0 * x * k * over;
        if (r) {
            write_rotation(q, r + 9 * n);
            turn(q, x, y);
        }
    }
    return steps + 1;
}

long suslov_portrait(const double inertia[4], const double *m1, const double *m2, long orbits, double eps, long steps,
                     double *u, double *v, double *M1, double *M2, double *M3)
{
    long written = 0;
    for (long i = 0; i < orbits; i++) {
        const long at = i * (steps + 1);
        written += suslov_orbit(inertia, m1[i], m2[i], eps, steps, u + at, v + at, M1 + at, M2 + at, M3 + at, 0);
    }
    return written;
}

/* Fedorov-Zenkov map of the sleigh; body = (J, m, a, b), start = (theta, x, y, p_theta, p_1).
 * The root of the cubic is the only real one for 2 E eps^2 < m a^2. */
long sleigh_orbit(const double body[4], const double start[5], double eps, long steps, double *restrict theta_out,
                  double *restrict x_out, double *restrict y_out, double *restrict p_theta_out,
                  double *restrict p_1_out, double *restrict p_2_out, double *restrict omega_out,
                  double *restrict v_out)
{
    const double spin = body[0], m = body[1], a = body[2], b = body[3];
    const double mu = m * a * a, over_total = 1.0 / (spin + mu), over_m = 1.0 / m, over_eps = 1.0 / eps;
    double theta = start[0], x = start[1], y = start[2], p_theta = start[3], p_1 = start[4];
    double tau = 0.5 * eps * (p_theta + b * p_1) * over_total, before = tau;
    for (long n = 0; n <= steps; n++) {
        /* Settled on the stable line: exactly so, before the numbers become denormal, which are slow. */
        if (eps * a * p_1 > 0.0 && fabs(p_theta + b * p_1) < 1e-140)
            p_theta = 0.0 - b * p_1;
        const double p = eps * (p_theta + b * p_1), q = eps * a * p_1 + 2.0 * mu, s = q + 2.0 * spin;
        double t = 2.0 * tau - before;
        int round = 0;
        for (; round < ROUNDS; round++) {
            const double value = ((q * t - p) * t + s) * t - p, slope = (3.0 * q * t - 2.0 * p) * t + s;
            const double change = value / slope;
            t -= change;
            if (fabs(change) <= 1e-8 * fabs(t))
                break;
        }
        if (round == ROUNDS)
            return n;
        before = tau;
        tau = t;
        const double square = 1.0 + tau * tau, root = sqrt(square), over = 1.0 / square;
        const double sine = 2.0 * tau * over, versine = tau * sine;
        const double forward = eps * p_1 * over_m + a * versine + b * sine, omega = (p_theta + b * p_1) * over_total;
        theta_out[n] = theta;
        x_out[n] = x;
        y_out[n] = y;
        p_theta_out[n] = p_theta;
        p_1_out[n] = p_1;
        p_2_out[n] = m * (forward * tau + a * sine - b * versine) * over_eps;
        omega_out[n] = omega;
        v_out[n] = p_1 * over_m + b * omega;
        const double half_turn = atan(tau), aim = theta + half_turn, chord = forward * root;
        x += chord * cos(aim);
        y += chord * sin(aim);
        theta += 2.0 * half_turn;
        p_theta -= 2.0 * a * m * forward * tau * over_eps;
        p_1 += 2.0 * a * m * versine * over_eps;
    }
    return steps + 1;
}

long sleigh_portrait(const double body[4], const double *starts, long orbits, double eps, long steps, double *theta,
                     double *x, double *y, double *p_theta, double *p_1, double *p_2, double *omega, double *v)
{
    long written = 0;
    for (long i = 0; i < orbits; i++) {
        const long at = i * (steps + 1);
        written += sleigh_orbit(body, starts + 5 * i, eps, steps, theta + at, x + at, y + at, p_theta + at, p_1 + at,
                                p_2 + at, omega + at, v + at);
    }
    return written;
}

typedef struct {
    double x, y, z;
} vector;

static inline double dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Displacement g with scaled momentum m, A g + g x I g = (1 + |g|^2) m, by Newton from a guess. Fails where
 * the branch has folded: the determinant is positive along the one that grows out of the identity. */
static int sphere_solve(vector i, double d, vector gamma, vector m, vector *g)
{
    const double i32 = i.z - i.y, i13 = i.x - i.z, i21 = i.y - i.x;
    /* A is symmetric and the same in every round. */
    const double a11 = i.x + d - d * gamma.x * gamma.x, a12 = -d * gamma.x * gamma.y;
    const double a22 = i.y + d - d * gamma.y * gamma.y, a13 = -d * gamma.x * gamma.z;
    const double a33 = i.z + d - d * gamma.z * gamma.z, a23 = -d * gamma.y * gamma.z;
    double x = g->x, y = g->y, z = g->z, before = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        const double size = 1.0 + x * x + y * y + z * z;
        const double f1 = a11 * x + a12 * y + a13 * z + i32 * y * z - size * m.x;
        const double f2 = a12 * x + a22 * y + a23 * z + i13 * z * x - size * m.y;
        const double f3 = a13 * x + a23 * y + a33 * z + i21 * x * y - size * m.z;
        const double x2 = 2.0 * x, y2 = 2.0 * y, z2 = 2.0 * z;
        const double b11 = a11 - x2 * m.x, b12 = a12 + i32 * z - y2 * m.x, b13 = a13 + i32 * y - z2 * m.x;
        const double b21 = a12 + i13 * z - x2 * m.y, b22 = a22 - y2 * m.y, b23 = a23 + i13 * x - z2 * m.y;
        const double b31 = a13 + i21 * y - x2 * m.z, b32 = a23 + i21 * x - y2 * m.z, b33 = a33 - z2 * m.z;
        const double c1 = b22 * b33 - b23 * b32, c2 = b23 * b31 - b21 * b33, c3 = b21 * b32 - b22 * b31;
        const double determinant = b11 * c1 + b12 * c2 + b13 * c3, over = 1.0 / determinant;
        const double dx = over * (c1 * f1 + (b13 * b32 - b12 * b33) * f2 + (b12 * b23 - b13 * b22) * f3);
        const double dy = over * (c2 * f1 + (b11 * b33 - b13 * b31) * f2 + (b13 * b21 - b11 * b23) * f3);
        const double dz = over * (c3 * f1 + (b12 * b31 - b11 * b32) * f2 + (b11 * b22 - b12 * b21) * f3);
        x -= dx;
        y -= dy;
        z -= dz;
        /* At round-off: the corrections vanish, shrink quadratically, or only jitter. */
        const double change = fabs(dx) + fabs(dy) + fabs(dz), all = fabs(x) + fabs(y) + fabs(z);
        if (change <= 1e-15 * all || (change <= 1e-8 * all && change <= 1e-3 * before) ||
            (change <= 1e-10 * all && change >= 0.5 * before)) {
            g->x = x;
            g->y = y;
            g->z = z;
            return determinant > 0.0;
        }
        before = change;
    }
    return 0;
}

/* Fedorov's map of the Chaplygin sphere; body = (I1, I2, I3, D, rho), start = (gamma, omega, x, y). The momentum is
 * fixed in space, so K and gamma are read off the attitude at every step. The rows of state are omega, gamma, K, x, y.
 */
long sphere_orbit(const double body[5], const double start[8], double eps, long steps, double *restrict state,
                  double *restrict r)
{
    const vector i = {body[0], body[1], body[2]};
    const double d = body[3], rho = body[4], half = 0.5 * eps;
    const vector l = {1.0 / (i.x + d), 1.0 / (i.y + d), 1.0 / (i.z + d)};
    const vector share = {i.x * l.x, i.y * l.y, i.z * l.z};
    const long row = steps + 1;
    vector gamma = {start[0], start[1], start[2]}, omega = {start[3], start[4], start[5]};
    double x = start[6], y = start[7], q0 = 1.0, q1 = 0.0, q2 = 0.0, q3 = 0.0;
    /* The shortest rotation that sets the vertical upright. */
    const double aside = sqrt(gamma.x * gamma.x + gamma.y * gamma.y);
    if (aside > 0.0) {
        const double angle = 0.5 * atan2(aside, gamma.z), sine = sin(angle) / aside;
        q0 = cos(angle);
        q1 = sine * gamma.y;
        q2 = -sine * gamma.x;
    } else if (gamma.z < 0.0) {
        q0 = 0.0;
        q1 = 1.0;
    }
    const double spin = dot(omega, gamma);
    vector k = {i.x * omega.x + d * (omega.x - spin * gamma.x), i.y * omega.y + d * (omega.y - spin * gamma.y),
                i.z * omega.z + d * (omega.z - spin * gamma.z)};
    vector g = {half * omega.x, half * omega.y, half * omega.z}, ga = g, gb = g, space = k;
    for (long n = 0; n <= steps; n++, r += 9, state++) {
        const vector first = {1.0 - 2.0 * (q2 * q2 + q3 * q3), 2.0 * (q1 * q2 - q0 * q3), 2.0 * (q1 * q3 + q0 * q2)};
        const vector second = {2.0 * (q1 * q2 + q0 * q3), 1.0 - 2.0 * (q1 * q1 + q3 * q3), 2.0 * (q2 * q3 - q0 * q1)};
        const vector third = {2.0 * (q1 * q3 - q0 * q2), 2.0 * (q2 * q3 + q0 * q1), 1.0 - 2.0 * (q1 * q1 + q2 * q2)};
        if (n == 0) {
            space = (vector){dot(first, k), dot(second, k), dot(third, k)};
        } else {
            gamma = third;
            k.x = first.x * space.x + second.x * space.y + third.x * space.z;
            k.y = first.y * space.x + second.y * space.y + third.y * space.z;
            k.z = first.z * space.x + second.z * space.y + third.z * space.z;
            const double f = share.x * gamma.x * gamma.x + share.y * gamma.y * gamma.y + share.z * gamma.z * gamma.z;
            const double push = d / f * (gamma.x * l.x * k.x + gamma.y * l.y * k.y + gamma.z * l.z * k.z);
            omega.x = l.x * (k.x + push * gamma.x);
            omega.y = l.y * (k.y + push * gamma.y);
            omega.z = l.z * (k.z + push * gamma.z);
        }
        state[0] = omega.x;
        state[row] = omega.y;
        state[2 * row] = omega.z;
        state[3 * row] = gamma.x;
        state[4 * row] = gamma.y;
        state[5 * row] = gamma.z;
        state[6 * row] = k.x;
        state[7 * row] = k.y;
        state[8 * row] = k.z;
        state[9 * row] = x;
        state[10 * row] = y;
        r[0] = first.x;
        r[1] = first.y;
        r[2] = first.z;
        r[3] = second.x;
        r[4] = second.y;
        r[5] = second.z;
        r[6] = third.x;
        r[7] = third.y;
        r[8] = third.z;
        const vector m = {half * k.x, half * k.y, half * k.z};
        vector new = {3.0 * (g.x - ga.x) + gb.x, 3.0 * (g.y - ga.y) + gb.y, 3.0 * (g.z - ga.z) + gb.z};
        if (!sphere_solve(i, d, gamma, m, &new))
            return n;
        gb = n > 0 ? ga : new;
        ga = n > 0 ? g : new;
        g = new;
        const double roll = 2.0 * rho / (1.0 + dot(g, g));
        x += roll * dot(second, g);
        y -= roll * dot(first, g);
        const double w0 = q0 - q1 * g.x - q2 * g.y - q3 * g.z, w1 = q1 + q0 * g.x + q2 * g.z - q3 * g.y;
        const double w2 = q2 + q0 * g.y + q3 * g.x - q1 * g.z, w3 = q3 + q0 * g.z + q1 * g.y - q2 * g.x;
        const double scale = 1.0 / sqrt(w0 * w0 + w1 * w1 + w2 * w2 + w3 * w3);
        q0 = scale * w0;
        q1 = scale * w1;
        q2 = scale * w2;
        q3 = scale * w3;
    }
    return steps + 1;
}

/* Feedback integrator of the roller racer by Euler's scheme, y += h (X - grad V); body = (m, I1, I2, d1, d2), start =
 * (theta, x, y, phi, Pi_theta, Pi_x, Pi_y, p_phi), gains on J1, J2 and the energy, whose gradient is made of terms of
 * the field. The rows of state are those of start, then u and omega.
 */
long racer_feedback(const double body[5], const double start[8], const double gains[3], double h, long steps,
                    double *restrict state)
{
    const double m = body[0], i1 = body[1], i2 = body[2], d1 = body[3], d2 = body[4];
    const double over_m = 1.0 / m, over_i1 = 1.0 / i1, over_i2 = 1.0 / i2, hinge = d2 * over_i2;
    const double twice = 2.0 * (over_m - d1 * d1 * over_i1), k1 = gains[0], k2 = gains[1] * over_m, k3 = gains[2];
    const long row = steps + 1;
    double theta = start[0], x = start[1], y = start[2], phi = start[3];
    double p_theta = start[4], p_x = start[5], p_y = start[6], p_phi = start[7], j_start = 0.0, e_start = 0.0;
    for (long i = 0; i <= steps; i++, state++) {
        const double a = (p_theta - p_phi) * over_i1, b = p_phi * over_i2, u = p_x * over_m;
        state[0] = theta;
        state[row] = x;
        state[2 * row] = y;
        state[3 * row] = phi;
        state[4 * row] = p_theta;
        state[5 * row] = p_x;
        state[6 * row] = p_y;
        state[7 * row] = p_phi;
        state[8 * row] = u;
        state[9 * row] = a;
        const double c = cos(phi), s = sin(phi), lever = d1 * c;
        const double arm = lever * over_i1, side = s * over_m, cross = hinge - arm;
        const double n = lever * a - s * u + d2 * b, over = 1.0 / (s * side + lever * arm + d2 * hinge);
        const double kappa = n * over, root = sqrt(over);
        /* The derivative of J1 by phi, times sqrt(S). */
        const double change = -d1 * s * a - c * u - 0.5 * kappa * twice * s * c;
        const double turning = a - kappa * arm, speed = u + kappa * side, steering = b - a - kappa * cross;
        const double first = -p_y * speed, second = p_y * turning, fourth = kappa * change;
        const double reaction = -over * (arm * first - side * second + cross * fourth + change * steering);
        const double j = n * root, e = 0.5 * (p_x * u + i1 * a * a + p_phi * b - kappa * n);
        if (i == 0) {
            j_start = j;
            e_start = e;
        }
        const double pull = k1 * (j - j_start) * root, lift = k3 * (e - e_start);
        x += h * speed * cos(theta);
        y += h * speed * sin(theta);
        theta += h * turning;
        phi += h * (steering - pull * change + lift * fourth);
        p_theta += h * (first + reaction * (lever + d2) - pull * arm - lift * turning);
        p_x += h * (second - reaction * s + pull * side - lift * speed);
        p_y -= h * k2 * (p_y - start[6]);
        p_phi += h * (fourth + reaction * d2 - pull * cross - lift * steering);
    }
    return steps + 1;
}

/* Feedback integrator of the Suslov top with its attitude by Euler's scheme; inertia = (I11, I22, I13, I23, I33), gains
 * on the orthogonality of R, which adds -k R (R^T R - 1), the constraint and the energy. The rows of state are u, v, M.
 */
long suslov_feedback(const double inertia[5], double m1, double m2, const double gains[3], double h, long steps,
                     double *restrict state, double *restrict r)
{
    const double over_1 = 1.0 / inertia[0], over_2 = 1.0 / inertia[1];
    const double c1 = inertia[2] * over_1, c2 = inertia[3] * over_2;
    const double s = inertia[4] - inertia[2] * c1 - inertia[3] * c2;
    const double k0 = h * gains[0], k1 = h * gains[1] / s, k2 = h * gains[2];
    const double e_start = 0.5 * (m1 * m1 * over_1 + m2 * m2 * over_2);
    const long row = steps + 1;
    double m3 = c1 * m1 + c2 * m2;
    vector q[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (long n = 0; n <= steps; n++, state++, r += 9) {
        const double u = m1 * over_1, v = m2 * over_2, hu = h * u, hv = h * v;
        state[0] = u;
        state[row] = v;
        state[2 * row] = m1;
        state[3 * row] = m2;
        state[4 * row] = m3;
        /* k0 (R^T R - 1), symmetric. */
        const double w11 = k0 * (q[0].x * q[0].x + q[1].x * q[1].x + q[2].x * q[2].x - 1.0);
        const double w22 = k0 * (q[0].y * q[0].y + q[1].y * q[1].y + q[2].y * q[2].y - 1.0);
        const double w33 = k0 * (q[0].z * q[0].z + q[1].z * q[1].z + q[2].z * q[2].z - 1.0);
        const double w12 = k0 * (q[0].x * q[0].y + q[1].x * q[1].y + q[2].x * q[2].y);
        const double w13 = k0 * (q[0].x * q[0].z + q[1].x * q[1].z + q[2].x * q[2].z);
        const double w23 = k0 * (q[0].y * q[0].z + q[1].y * q[1].z + q[2].y * q[2].z);
        for (int i = 0; i < 3; i++) {
            const double x = q[i].x, y = q[i].y, z = q[i].z;
            r[3 * i] = x;
            r[3 * i + 1] = y;
            r[3 * i + 2] = z;
            q[i].x = x - (w11 * x + w12 * y + (w13 + hv) * z);
            q[i].y = y - (w12 * x + w22 * y + (w23 - hu) * z);
            q[i].z = z - ((w13 - hv) * x + (w23 + hu) * y + w33 * z);
        }
        const double d1 = -m3 * hv, d2 = m3 * hu;
        const double pull = k1 * (m3 - c1 * m1 - c2 * m2), lift = k2 * (0.5 * (m1 * u + m2 * v) - e_start);
        m1 += d1 + pull * c1 - lift * u;
        m2 += d2 + pull * c2 - lift * v;
        m3 += c1 * d1 + c2 * d2 - pull;
    }
    return steps + 1;
}

/* Rotation numbers of the ball with vertical momentum, over many (h, l): the relation of CS (5.15), corrected, solved
   at the nodes of a Fourier series, and weighted means along orbits of that series. */

#define NODES_MOST 512
#define STEPS_SHORTEST 512
#define STEPS_LONGEST 16384

typedef struct {
    double k2, v, d, level, mu, alpha, beta;
} oval;

static void jacobi(double u, double k2, double *sn, double *cn, double *dn)
{
    double a[12], c[12], b = sqrt(1.0 - k2);
    int level = 0;
    a[0] = 1.0;
    c[0] = sqrt(k2);
    while (fabs(c[level]) > 1e-16 * a[level] && level < 11) {
        a[level + 1] = 0.5 * (a[level] + b);
        c[level + 1] = 0.5 * (a[level] - b);
        b = sqrt(a[level] * b);
        level++;
    }
    double phi = ldexp(a[level] * u, level);
    for (int i = level; i > 0; i--)
        phi = 0.5 * (phi + asin(c[i] / a[i] * sin(phi)));
    *sn = sin(phi);
    *cn = cos(phi);
    *dn = sqrt(1.0 - k2 * *sn * *sn);
}

/* Half the increment of u, by Newton's method from 0; 0 if it does not get there. */
static int half_increment(const oval *o, double h, double u, double *found)
{
    double delta = 0.0, before = INFINITY;
    for (int round = 0; round < 60; round++) {
        double sn, cn, dn, fs, fc, fd;
        jacobi(delta, o->k2, &sn, &cn, &dn);
        jacobi(u + delta, o->k2, &fs, &fc, &fd);
        const double s = sn * sn, w = sn * cn * dn, far = fs * fs;
        const double cross = 1.0 - o->k2 * far * s, cross_u = -2.0 * o->k2 * fs * fc * fd * s;
        const double cross_delta = cross_u - 2.0 * o->k2 * far * w;
        const double shape = h * o->v * (1.0 + s * (o->alpha - o->beta * s));
        const double shape_delta = 2.0 * h * o->v * w * (o->alpha - 2.0 * o->beta * s);
        const double w_delta = cn * cn * dn * dn - s * dn * dn - o->k2 * s * cn * cn;
        const double rest = cross - o->d * (o->level - o->mu * s), rest_delta = cross_delta + 2.0 * o->d * o->mu * w;
        const double value = 2.0 * w * rest - shape * cross;
        const double slope = 2.0 * (w_delta * rest + w * rest_delta) - shape_delta * cross - shape * cross_delta;
        if (!(slope > 0.0))
            return 0;
        const double change = fabs(value / slope);
        delta -= value / slope;
        const double size = fabs(delta);
        if (change <= 1e-15 * size || (change <= 1e-8 * size && change <= 1e-3 * before) ||
            (change <= 1e-10 * size && change >= 0.5 * before) || change < 1e-17) {
            *found = delta;
            return 1;
        }
        before = change;
    }
    return 0;
}

/* The Fourier coefficients of the increment in periods; returns how many are used, 0 beyond the fold. */
static int increment_series(const oval *o, double h, double period, double *nodes, double (*series)[2])
{
    int count = 32, stride = NODES_MOST / 32;
    for (;;) {
        for (int i = 0; i < NODES_MOST; i += stride) {
            double delta;
            if (count > 32 && i % (2 * stride) == 0)
                continue;
            if (!half_increment(o, h, i * (period / NODES_MOST), &delta))
                return 0;
            nodes[i] = 2.0 * delta / period;
        }
        double tail = 0.0;
        for (int m = 0; m < count / 2; m++) {
            const double turn = -2.0 * M_PI * m / count, tc = cos(turn), ts = sin(turn);
            double c = 1.0, s = 0.0, re = 0.0, im = 0.0;
            for (int i = 0; i < count; i++) {
                re += nodes[i * stride] * c;
                im += nodes[i * stride] * s;
                const double next = c * tc - s * ts;
                s = s * tc + c * ts;
                c = next;
            }
            series[m][0] = re / count;
            series[m][1] = im / count;
            if (m >= 3 * count / 8)
                tail = fmax(tail, fmax(fabs(series[m][0]), fabs(series[m][1])));
        }
        if (tail < 1e-14 || count == NODES_MOST)
            break;
        count *= 2;
        stride /= 2;
    }
    int used = count / 2;
    while (used > 1 && fmax(fabs(series[used - 1][0]), fabs(series[used - 1][1])) < 1e-15)
        used--;
    return used;
}

static void series_orbit(double (*series)[2], int used, double *place, long first, long last, double *increments)
{
    double u = *place;
    for (long n = first; n < last; n++) {
        u -= floor(u);
        const double c = cos(2.0 * M_PI * u), s = sin(2.0 * M_PI * u);
        double x = 0.0, y = 0.0;
        for (int m = used - 1; m > 0; m--) {
            const double a = x + series[m][0], b = y + series[m][1];
            x = a * c - b * s;
            y = a * s + b * c;
        }
        increments[n] = series[0][0] + 2.0 * x;
        u += increments[n];
    }
    *place = u;
}

static double bump_mean(const double *weights, const double *increments, long steps)
{
    double total = 0.0;
    for (long n = 0; n < steps; n++)
        total += weights[steps + n] * increments[n];
    return total;
}

/* moments are I1, I2, I3, falling, and D; 1/Lam2 < l < 1/Lam3. Returns how many rotation numbers were found. */
long vertical_rotations(const double moments[4], const double *h, const double *level, long cells, double *out)
{
    static double weights[2 * STEPS_LONGEST], here[STEPS_LONGEST], there[STEPS_LONGEST];
    static double nodes[NODES_MOST], series[NODES_MOST / 2][2];
    const double a = moments[0] + moments[3], b = moments[1] + moments[3], c = moments[2] + moments[3];
    for (long steps = STEPS_SHORTEST; steps <= STEPS_LONGEST; steps *= 2) {
        double total = 0.0;
        for (long n = 0; n < steps; n++) {
            const double t = (n + 0.5) / steps;
            total += weights[steps + n] = exp(-1.0 / (t * (1.0 - t)));
        }
        for (long n = 0; n < steps; n++)
            weights[steps + n] /= total;
    }
    for (long i = 0; i < cells; i++) {
        const double l = level[i], low = 1.0 - c * l, high = a * l - 1.0;
        const double c1 = sqrt(a * low / (a - c)), c2 = sqrt(b * low / (b - c)), c3 = sqrt(c * high / (a - c));
        const oval o = {(a - b) * low / ((b - c) * high),
                        -c2 * c3 * (b - c) / (c1 * b * c),
                        moments[3],
                        l,
                        low / (b - c),
                        (2.0 * a * c * l - (a + c - b)) / ((b - c) * high),
                        a * c / ((b - c) * (b - c)) * low / high};
        double p = 1.0, q = sqrt(1.0 - o.k2);
        while (fabs(p - q) > 1e-15 * p) {
            const double mean = 0.5 * (p + q);
            q = sqrt(p * q);
            p = mean;
        }
        const int used = increment_series(&o, h[i], 2.0 * M_PI / (p + q), nodes, series);
        if (used == 0)
            return i;
        long steps = STEPS_SHORTEST, known = 0;
        double place = 0.0, other = 0.381966, value, before;
        series_orbit(series, used, &place, 0, steps, here);
        before = bump_mean(weights, here, steps);
        for (;;) {
            series_orbit(series, used, &place, steps, 2 * steps, here);
            steps *= 2;
            value = bump_mean(weights, here, steps);
            if (fabs(value - before) <= 1e-11 || steps >= STEPS_LONGEST) {
                series_orbit(series, used, &other, known, steps, there);
                known = steps;
                if (fabs(value - bump_mean(weights, there, steps)) <= 1e-11 || steps >= STEPS_LONGEST)
                    break;
            }
            before = value;
        }
        out[i] = 0.5 * value;
    }
    return cells;
}
