package dev.fusebox.gateway.crowd;

import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.gateway.lifecycle.LifecycleSettings;
import java.util.List;

/// What becomes of one server when the configuration is another. Immutable but for what a [Joining] holds.
public sealed interface Fate {
    String id();

    /// It stays as it is.
    record Stays(String id) implements Fate {}

    /// Its process or its connection stays, and calls and its life keep to other rules from now on.
    record Governed(String id, PipelineRules lane, MemberRules rules, LifecycleSettings life) implements Fate {}

    /// It is new, or another one than that which had its name: then calls under way end where they began.
    record Joins(Joining joining) implements Fate {
        @Override
        public String id() {
            return joining.frontTarget().settings().server();
        }
    }

    /// Its calls go to others, which are the same.
    ///
    /// @param replicas the ids of all of them
    record Shared(String id, List<String> replicas) implements Fate {
        public Shared {
            replicas = List.copyOf(replicas);
        }
    }

    /// It cannot be called, or not any more.
    record Missing(Absent absent) implements Fate {
        @Override
        public String id() {
            return absent.id();
        }
    }
}
