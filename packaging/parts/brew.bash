# shellcheck shell=bash
make_brew() { :; }
