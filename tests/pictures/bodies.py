"""Links to bodies without any symmetry, at which a wrong sign, factor or axis shows."""

SUSLOV = "I11=2&I22=3.7&I33=6&I13=0.9&I23=-1.3&M1=3.1&M2=4.3&step=0.12&duration=6"
"""Both products of inertia, of different signs; the run covers most of its arc."""
SLEIGH = "J=1.3&m=0.8&a=0.6&b=-0.35&theta=0.4&x=0.3&y=-0.2&p_theta=0.9&p_1=-1.1&step=0.2&duration=12"
"""The centre of mass beside the blade; the run has its cusp."""
BALL = (
    "J1=0.3&J2=0.5&J3=0.8&m=2.1&rho=1.1&gamma1=0.3&gamma2=-0.5&gamma3=0.7&omega1=0.9&omega2=-0.5&omega3=0.7"
    "&x=0.2&y=-0.4&step=0.1&duration=6"
)
"""A ball without any symmetry."""
TWO = "&methods=reference.fedorov"
"""The flow and one map of the ball, each called as its method is."""
USUAL = {
    "knife_edge": "m=1.3&J=0.8&g=1.2&alpha=0.4&x=0.3&y=-0.2&phi=0.5&p_phi=0.6&v=0.4&step=0.01&duration=5",
    "rolling_disk": "m=1.2&R=0.9&J=0.3&x=0.2&y=-0.3&theta=0.4&psi=0.3&step=0.02&duration=6",
    "roller_racer": "m=1.2&I1=0.9&d1=1.1&theta=0.3&x=0.2&y=-0.4&step=0.01&duration=4",
    "heisenberg": "x=0.4&y=-0.3&z=0.2&p_x=1.1&p_y=0.6&step=0.01",
    "oscillator": "x=0.9&y=0.7&z=-0.4&p_y=0.3&p_z=0.2&step=0.01&duration=5",
    "suslov_n": "duration=10",
    "sleigh_n": "",
    "sphere_n": "duration=6",
}
"""The labs of systems without one of their own, each with a body and a start of its own."""
