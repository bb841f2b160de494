/// What threads may find when they meet at a breaker or at a bulkhead. Each nested class is one race: two actors start
/// from the same state, an arbiter looks afterwards, and every outcome that is not named acceptable is a failure.
@NullMarked
package dev.fusebox.races;

import org.jspecify.annotations.NullMarked;
