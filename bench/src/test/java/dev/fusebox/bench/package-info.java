@NullMarked
package dev.fusebox.bench;

import org.jspecify.annotations.NullMarked;
