/// Files of one user on the disk: private permissions, atomic replacement, and writes that survive a loss of
/// power.
package dev.fusebox.platform.files;
