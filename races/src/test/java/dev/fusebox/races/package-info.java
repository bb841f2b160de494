@NullMarked
package dev.fusebox.races;

import org.jspecify.annotations.NullMarked;
