package io.strowger.conformance.faults;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a caller got. */
record Heard(int status, Map<String, String> headers, String body) {
  private static final String DATA = "data: ";
  private static final String DONE = "[DONE]";

  Json.Obj document() {
    return parse(body);
  }

  /** The frames of a stream, in order, but for comments and the mark of its end. */
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
