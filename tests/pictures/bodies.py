"""Links to bodies without any symmetry, at which a wrong sign, factor or axis shows."""

SUSLOV = "I11=2&I22=3.7&I33=6&I13=0.9&I23=-1.3&M1=3.1&M2=4.3&step=0.12&duration=6"
"""Both products of inertia, of different signs; the run covers most of its arc."""
SLEIGH = "J=1.3&m=0.8&a=0.6&b=-0.35&theta=0.4&x=0.3&y=-0.2&p_theta=0.9&p_1=-1.1&step=0.2&duration=12"
"""The centre of mass beside the blade; the run has its cusp."""
