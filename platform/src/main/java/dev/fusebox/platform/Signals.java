package dev.fusebox.platform;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/// Handlers of signals to this process. The JDK has no public API for them; the internal one, which all JDKs have,
/// is used by reflection, so that nothing depends on it at compile time. Thread-safe; never blocks.
public final class Signals {
    /// The result of a request to handle a signal.
    public enum Handling {
        /// The signal runs the action.
        INSTALLED,
        /// The signal was ignored when this process started, for instance by `nohup`, and still is.
        IGNORED,
        /// This platform does not allow it, and the signal keeps its default action.
        UNSUPPORTED
    }

    private Signals() {}

    /// Makes the signal, such as `TERM`, run the action on a thread of its own instead of its default action. The
    /// JVM leaves HUP, INT and TERM alone if they were ignored when it started.
    public static Handling on(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler run = (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                    action.run();
                }
                return null;
            };
            Object listener = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, run);
            Object which = signal.getConstructor(String.class).newInstance(name);
            Object before = MethodHandles.publicLookup()
                    .unreflect(signal.getMethod("handle", signal, handler))
                    .invoke(which, listener);
            return handler.getField("SIG_IGN").get(null).equals(before) ? Handling.IGNORED : Handling.INSTALLED;
        } catch (Throwable notHere) {
            return Handling.UNSUPPORTED;
        }
    }
}
