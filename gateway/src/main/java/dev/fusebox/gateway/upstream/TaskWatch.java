package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.resilience.Endpoint;
import dev.fusebox.gateway.era.TaskSubscription;
import dev.fusebox.gateway.task.ServerTasks;
import dev.fusebox.gateway.task.TaskId;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// The tasks of one server process that a client watches. Thread-safe; only [#granted] blocks.
public final class TaskWatch {
    private final ServerTasks serverTasks;
    private final BooleanSupplier isRemoved;

    /// The ids that the client knows, by the server's own. A server that answers several calls with one task has it
    /// under several ids.
    private final Map<String, List<String>> shown = new LinkedHashMap<>();
    private final Map<String, TaskId> ids;
    private final Consumer<Message.Notification> client;
    private final TaskSubscription subscription;

    /// @param server sends a request to the process
    /// @param ids the tasks, by the ids that the client knows
    /// @param client receives the notifications, under its own ids
    TaskWatch(Platform platform, Server server, Map<String, TaskId> ids, Consumer<Message.Notification> client) {
        this.serverTasks = server.tasks();
        this.isRemoved = server.isRemoved();
        this.ids = Map.copyOf(ids);
        this.client = client;
        ids.forEach((id, task) ->
                shown.computeIfAbsent(task.own(), own -> new ArrayList<>()).add(id));
        this.subscription = new TaskSubscription(
                platform, server.process(), shown.keySet(), new NotificationForwarder(server.id()));
    }

    /// The server of the tasks.
    ///
    /// @param process sends a request to the process that works on them
    /// @param isRemoved whether the server is no longer configured; must not block
    record Server(String id, ServerTasks tasks, Endpoint process, BooleanSupplier isRemoved) {}

    void begin(ClientMetadata subscriber) {
        ids.values().forEach(id -> serverTasks.subscriberAdded(id));
        subscription.begin(subscriber);
    }

    /// The tasks that the server reports on, by the ids that the client knows. Blocks at most until the deadline.
    public Set<String> granted(Deadline deadline) throws InterruptedException {
        Set<String> granted = new LinkedHashSet<>();
        for (String own : subscription.granted(deadline)) {
            granted.addAll(shown.getOrDefault(own, List.of()));
        }
        return granted;
    }

    /// Ends the watch. Called once.
    public void end() {
        ids.values().forEach(id -> serverTasks.subscriberRemoved(id));
        subscription.end();
    }

    /// The receiver of the server's notifications.
    private final class NotificationForwarder implements TaskSubscription.Listener {
        private final String server;

        NotificationForwarder(String server) {
            this.server = server;
        }

        @Override
        public void onNotification(Message.Notification notification) {
            for (String id : idsIn(notification)) {
                TaskId task = ids.get(id);
                if (task != null) {
                    client.accept(
                            ServerQuestionLabels.labelTask(server, serverTasks.onNotification(task, id, notification)));
                }
            }
        }

        private List<String> idsIn(Message.Notification notification) {
            JsonView params = notification.params();
            String own = params == null || !notification.method().equals("notifications/tasks")
                    ? null
                    : params.string("taskId");
            return own == null ? List.of() : shown.getOrDefault(own, List.of());
        }

        /// A client that only listens learns that the process is gone. There is nothing more to report of tasks that
        /// have ended, and of those of a removed server once its process has ended, if it has one.
        @Override
        public boolean continueAfterEnd() {
            boolean goesOn = false;
            for (Map.Entry<String, TaskId> each : ids.entrySet()) {
                Message.Notification failed = serverTasks.failureNotification(each.getValue(), each.getKey());
                goesOn |= failed == null && mayChange(each.getValue());
                if (failed != null) {
                    client.accept(failed);
                }
            }
            return goesOn;
        }

        private boolean mayChange(TaskId task) {
            boolean isReachable = !isRemoved.getAsBoolean() || serverTasks.connection(task) != null;
            return isReachable && !serverTasks.isOver(task);
        }
    }
}
