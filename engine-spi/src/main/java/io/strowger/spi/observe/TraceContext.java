package io.strowger.spi.observe;

import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The place of a call in a distributed trace, as its caller states it in the headers of <a
 * href="https://www.w3.org/TR/trace-context/">W3C Trace Context</a>. Only values that {@link
 * #parse} accepts are valid.
 *
 * @param traceparent a value of version 00: {@code 00-}, 32 hex digits of the trace, 16 of the
 *     span, two of flags
 * @param tracestate additional data of tracing systems, at most {@value #MAX_STATE} printable
 *     characters; null when there is none. Intended for tracers; it is not sent to upstreams
 */
public record TraceContext(String traceparent, @Nullable String tracestate) {
  /**
   * The maximum length of a {@code tracestate} in characters; a longer one is left out, as the
   * standard allows.
   */
  public static final int MAX_STATE = 512;

  private static final int LENGTH = 55;
  private static final int MAX_LENGTH = 256;
  private static final Pattern SHAPE =
      Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");
  private static final Pattern NO_TRACE = Pattern.compile("..-0{32}-.*");
  private static final Pattern NO_SPAN = Pattern.compile("..-.{32}-0{16}-.*");
  private static final Pattern STATE = Pattern.compile("[\\x20-\\x7e\\t]*");

  public TraceContext {
    Objects.requireNonNull(traceparent, "traceparent");
    if (!isValid(traceparent) || !traceparent.startsWith("00-")) {
      throw new IllegalArgumentException("traceparent must be a valid header value of version 00");
    }
    if (tracestate != null && !isState(tracestate)) {
      throw new IllegalArgumentException("tracestate must be a valid header value");
    }
  }

  /**
   * Returns the context in the two headers; null when {@code traceparent} is invalid. It is invalid
   * when its length is wrong, when it has capital letters or an id of zeros only, and when its
   * version is ff. Of a later version, only the fields of version 00 are kept, as the standard
   * requires. An invalid {@code tracestate} is left out.
   *
   * @param traceparent the header as it came; null when there was none
   * @param tracestate the header as it came, several joined by commas; null when there was none
   */
  public static @Nullable TraceContext parse(
      @Nullable String traceparent, @Nullable String tracestate) {
    if (traceparent == null || !isValid(traceparent)) {
      return null;
    }
    String normalized = "00" + traceparent.substring(2, LENGTH);
    boolean hasState = tracestate != null && !tracestate.isBlank() && isState(tracestate);
    return new TraceContext(normalized, hasState ? tracestate : null);
  }

  private static boolean isValid(String header) {
    if (header.length() < LENGTH || header.length() > MAX_LENGTH) {
      return false;
    }
    String prefix = header.substring(0, LENGTH);
    boolean hasValidEnd =
        header.length() == LENGTH || !prefix.startsWith("00") && header.charAt(LENGTH) == '-';
    return hasValidEnd
        && !prefix.startsWith("ff")
        && SHAPE.matcher(prefix).matches()
        && !NO_TRACE.matcher(prefix).matches()
        && !NO_SPAN.matcher(prefix).matches();
  }

  private static boolean isState(String header) {
    return header.length() <= MAX_STATE && STATE.matcher(header).matches();
  }
}
