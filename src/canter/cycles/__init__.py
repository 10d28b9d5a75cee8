"""Driving an animal from one cycle per gait: Sung et al. 2013, Huang et al. 2013, and the best of both."""
