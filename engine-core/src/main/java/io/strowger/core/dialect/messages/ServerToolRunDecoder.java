package io.strowger.core.dialect.messages;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.JsonCodec;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Reads back a tool run of the gateway from an earlier answer of this dialect. An answer that also
 * calls the caller's tools carries it as marked, encrypted reasoning. Open question 61.
 */
final class ServerToolRunDecoder {
  private static final String MARK = "router-server-tool-v1";
  private static final JsonCodec CODEC = new JacksonCodec();

  private ServerToolRunDecoder() {}

  /** Returns null when it is no tool run, or was changed; it is then reasoning of no vendor. */
  static @Nullable Part of(ReasoningProof reasoningProof, Json.Obj block) {
    if (!reasoningProof.format().equals(MARK)) {
      return null;
    }
    try {
      Json read = CODEC.parse(Base64.getDecoder().decode(reasoningProof.data().text()));
      return read instanceof Json.Obj run ? run(run, block) : null;
    } catch (IllegalArgumentException | JsonCodec.MalformedJsonException changed) {
      return null;
    }
  }

  private static @Nullable Part run(Json.Obj run, Json.Obj block) {
    String id = run.text("id");
    String tool = run.text("tool");
    Json result = run.get("result");
    return id != null
            && tool != null
            && result != null
            && run.get("arguments") instanceof Json.Str arguments
        ? new Part.ServerToolRun(id, tool, new Arguments.Text(arguments), result, block)
        : null;
  }
}
