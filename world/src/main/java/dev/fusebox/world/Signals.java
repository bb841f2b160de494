package dev.fusebox.world;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/// Signals that the system sends to this process. The JDK has no public way to hear them; this one, which all JDKs
/// have, is reached by reflection, so that nothing depends on it at compile time. Thread-safe; nothing blocks.
public final class Signals {
    private Signals() {}

    /// From now on the signal, such as `TERM`, runs the action on a thread of its own and does nothing else. False if
    /// this platform does not let us, and the signal does what it always does.
    public static boolean on(String name, Runnable action) {
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
            MethodHandles.publicLookup()
                    .unreflect(signal.getMethod("handle", signal, handler))
                    .invoke(which, listener);
            return true;
        } catch (Throwable notHere) {
            return false;
        }
    }
}
