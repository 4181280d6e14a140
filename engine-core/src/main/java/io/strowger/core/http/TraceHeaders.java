package io.strowger.core.http;

import io.strowger.core.inference.Inference;
import io.strowger.core.wire.WireRequest;
import io.strowger.spi.observe.TraceContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code traceparent} and {@code tracestate} of W3C Trace Context. They are read only when calls
 * are traced, and never make a request invalid: a malformed value is ignored.
 */
final class TraceHeaders {
  private static final String PARENT = "traceparent";
  private static final String STATE = "tracestate";

  private TraceHeaders() {}

  static Inference.Origin of(WireRequest.Headers headers) {
    return () -> read(headers);
  }

  private static @Nullable TraceContext read(WireRequest.Headers headers) {
    String parent = headers.first(PARENT);
    if (parent == null || headers.all(PARENT).size() > 1) {
      return null; // of two, it is unknown which one is the caller's
    }
    List<String> states = headers.all(STATE);
    // a host need not implement all(); then first() has the only known value
    return TraceContext.parse(
        parent, states.isEmpty() ? headers.first(STATE) : String.join(",", states));
  }
}
