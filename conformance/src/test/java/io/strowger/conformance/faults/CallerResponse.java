package io.strowger.conformance.faults;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The complete response that a caller got from the gateway. */
record CallerResponse(int status, Map<String, String> headers, String body) {
  private static final String DATA = "data: ";
  private static final String DONE = "[DONE]";

  /** Returns the body of a response that is one JSON document. */
  Json.Obj document() {
    return parse(body);
  }

  /** Returns the frames of a stream in order, without comments and the final {@code [DONE]}. */
  List<Json.Obj> frames() {
    var frames = new ArrayList<Json.Obj>();
    for (String line : body.split("\n")) {
      if (line.startsWith(DATA) && !line.endsWith(DONE)) {
        frames.add(parse(line.substring(DATA.length())));
      }
    }
    return frames;
  }

  @Nullable String header(String name) {
    return headers.get(name);
  }

  private static Json.Obj parse(String text) {
    try {
      return (Json.Obj) new JacksonCodec().parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException e) {
      throw new AssertionError(text, e);
    }
  }
}
