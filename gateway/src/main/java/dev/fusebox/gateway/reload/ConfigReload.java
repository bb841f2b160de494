package dev.fusebox.gateway.reload;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.ConfigProblem;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.ContentCheck;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.gateway.observe.ConfigEvent;
import dev.fusebox.gateway.reload.ConfigDifference.Change;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Applies a configuration that was read anew, or says why not. A file is applied whole or not at all. For one
/// thread; blocks as reading the file does.
public final class ConfigReload {
    private static final System.Logger LOG = LazyLoggers.of(ConfigReload.class);

    private final Source source;
    private final Running running;
    private final Consumer<ConfigEvent> events;
    private Configuration current;
    private List<String> complaints = List.of();
    private Set<String> warned = Set.of();

    /// Where a configuration comes from. Immutable.
    ///
    /// @param platform whose environment fills in variables
    /// @param overrides what wins over the file
    /// @param check what each content of the file must pass
    /// @param approval another file, whose change may make that check pass; null if there is none
    public record Source(
            Platform platform,
            Path file,
            Overrides overrides,
            ContentCheck check,
            @Nullable Path approval) {
        /// A file whose content needs no check.
        public Source(Platform platform, Path file, Overrides overrides) {
            this(platform, file, overrides, ContentCheck.NONE, null);
        }

        ReadResult read() {
            return ConfigFile.read(HostEnvironments.of(platform), file, overrides, check);
        }

        FileStamp fileStamp() {
            FileStamp fileStamp = FileStamp.at(file);
            return approval == null ? fileStamp : fileStamp.with(approval);
        }
    }

    /// What runs by a configuration.
    public interface Running {
        /// Why it cannot run by this one; empty, and it does, if it can.
        Optional<String> become(Configuration next, ConfigDifference difference);
    }

    /// @param current what it runs by now
    /// @param events is told what becomes of each change
    public ConfigReload(Source source, Configuration current, Running running, Consumer<ConfigEvent> events) {
        this.source = source;
        this.current = current;
        this.running = running;
        this.events = events;
    }

    /// The same, where these warnings of the current configuration have been shown. Called before the first
    /// change.
    public ConfigReload after(List<ConfigProblem> warnings) {
        warned = withoutPlaces(warnings);
        return this;
    }

    Source source() {
        return source;
    }

    /// Applies what was read if it can be used.
    ///
    /// @param last whether it will not get better by itself; if it may, nothing is said against it
    /// @return whether there is nothing to be done any more
    boolean take(ReadResult readResult, boolean last) {
        List<String> problems =
                readResult.problems().stream().map(ConfigProblem::toString).toList();
        return switch (readResult) {
            case ReadResult.Usable(Configuration next, var warnings)
            when problems.isEmpty() -> {
                boolean isDone = applied(next);
                if (complaints.isEmpty()) {
                    warn(warnings);
                }
                yield isDone;
            }
            case ReadResult.Usable faulty -> last && rejected(problems);
            case ReadResult.Refused refused -> last && rejected(problems);
        };
    }

    private boolean applied(Configuration next) {
        ConfigDifference difference = ConfigDifference.between(current, next);
        boolean isMended = !complaints.isEmpty();
        if (difference.isNothing() && !isMended) {
            return true;
        }
        Optional<String> objection = difference.isNothing() ? Optional.empty() : running.become(next, difference);
        if (objection.isPresent()) {
            return rejected(List.of(objection.get()));
        }
        current = next;
        complaints = List.of();
        events.accept(event(difference));
        return true;
    }

    /// A warning that stands elsewhere in the file now is no new one.
    private void warn(List<ConfigProblem> warnings) {
        Set<String> known = warned;
        for (ConfigProblem warning : warnings) {
            if (!known.contains(withoutPlace(warning))) {
                LOG.log(Level.WARNING, warning.toString());
            }
        }
        warned = withoutPlaces(warnings);
    }

    private static Set<String> withoutPlaces(List<ConfigProblem> warnings) {
        return warnings.stream().map(ConfigReload::withoutPlace).collect(Collectors.toUnmodifiableSet());
    }

    private static String withoutPlace(ConfigProblem warning) {
        return warning.pointer() + " " + warning.message();
    }

    private static ConfigEvent event(ConfigDifference difference) {
        List<String> changed = Stream.concat(
                        difference.serversThat(Change.REACH).stream(), difference.serversThat(Change.RULES).stream())
                .toList();
        return new ConfigEvent.Applied(
                difference.serversThat(Change.ADDED),
                changed,
                difference.removed(),
                difference.later(),
                difference.toString());
    }

    /// The same complaint is not told twice.
    private boolean rejected(List<String> problems) {
        if (!problems.equals(complaints)) {
            complaints = problems;
            events.accept(new ConfigEvent.Rejected(problems));
        }
        return true;
    }

    /// Nothing can be read there.
    boolean unreadable(String why) {
        return rejected(List.of(source.file() + ": " + why));
    }
}
