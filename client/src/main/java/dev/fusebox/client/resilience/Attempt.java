package dev.fusebox.client.resilience;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;

/// Takes a call to its server once, over a connection that is opened if there is none. Blocks for as long as the
/// call's patience lasts.
@FunctionalInterface
public interface Attempt {
    Outcome make(Call call);
}
