/// The conventions of the project as tests. A rule is a small class or method that returns a list of violations,
/// each a sentence that starts with its position. Every rule has two tests: one applies it to the checkout and
/// expects no violation, the other applies it to an offending example and expects it to be found.
@NullMarked
package dev.fusebox.conventions;

import org.jspecify.annotations.NullMarked;
