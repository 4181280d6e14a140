package io.strowger.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * The SLF4J provider of this module's tests. Keeps warnings and errors while a {@link Recording} is
 * open, and discards all others. The build sets the system property {@code slf4j.provider} to this
 * class.
 */
public final class RecordedLog implements SLF4JServiceProvider {
  private static final Set<Recording> RECORDINGS = ConcurrentHashMap.newKeySet();

  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter context = new NOPMDCAdapter();

  /** One logged message. */
  public record Line(Level level, String text, @Nullable Throwable thrown) {}

  /** The lines logged since the recording was opened, also by tests that run at the same time. */
  public static final class Recording implements AutoCloseable {
    private final ConcurrentLinkedQueue<Line> lines = new ConcurrentLinkedQueue<>();

    private Recording() {}

    /** Returns the lines that contain a text. */
    public List<Line> linesWith(String text) {
      return lines.stream().filter(line -> line.text().contains(text)).toList();
    }

    @Override
    public void close() {
      RECORDINGS.remove(this);
    }
  }

  /** Opens a recording of the log; close it after use. */
  public static Recording record() {
    assertThat(LoggerFactory.getILoggerFactory())
        .as("the SLF4J provider; run with -Dslf4j.provider=%s", RecordedLog.class.getName())
        .isInstanceOf(Loggers.class);
    var recording = new Recording();
    RECORDINGS.add(recording);
    return recording;
  }

  /** Creates loggers that write to all open recordings. */
  private static final class Loggers implements ILoggerFactory {
    @Override
    public org.slf4j.Logger getLogger(String name) {
      return new Logger(name);
    }
  }

  private static final class Logger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1L;

    Logger(String name) {
      this.name = name;
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level,
        @Nullable Marker marker,
        String pattern,
        Object @Nullable [] arguments,
        @Nullable Throwable thrown) {
      if (!RECORDINGS.isEmpty()) {
        String text = MessageFormatter.basicArrayFormat(pattern, arguments);
        var line = new Line(level, text, thrown);
        RECORDINGS.forEach(recording -> recording.lines.add(line));
      }
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
      return null;
    }

    @Override
    public boolean isTraceEnabled() {
      return false;
    }

    @Override
    public boolean isDebugEnabled() {
      return false;
    }

    @Override
    public boolean isInfoEnabled() {
      return false;
    }

    @Override
    public boolean isWarnEnabled() {
      return true;
    }

    @Override
    public boolean isErrorEnabled() {
      return true;
    }
  }

  @Override
  public void initialize() {}

  @Override
  public ILoggerFactory getLoggerFactory() {
    return new Loggers();
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return context;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99";
  }
}
