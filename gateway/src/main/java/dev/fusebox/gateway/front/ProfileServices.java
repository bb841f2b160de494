package dev.fusebox.gateway.front;

import dev.fusebox.gateway.era.GatewayService;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The profiles that clients over HTTP choose by the path of the endpoint. Thread-safe.
public interface ProfileServices extends AutoCloseable {
    /// A gateway without profiles.
    ProfileServices NONE = new ProfileServices() {
        @Override
        public List<String> names() {
            return List.of();
        }

        @Override
        public @Nullable GatewayService find(String name) {
            return null;
        }

        @Override
        public void onRemoved(Consumer<String> listener) {
            // There is none to remove.
        }

        @Override
        public void close() {
            // There is none to close.
        }
    };

    /// The names of all profiles, in the order of the file. Does not block.
    List<String> names();

    /// What the clients of a profile are served, the same as long as the profile exists; null if there is no such
    /// profile. Blocks while a changed configuration is being applied.
    @Nullable
    GatewayService find(String name);

    /// Sets the listener of profiles that were removed. It must not block.
    void onRemoved(Consumer<String> listener);

    /// Closes the services of all profiles. Does not block.
    @Override
    void close();
}
