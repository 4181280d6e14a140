package io.strowger.core.dialect.messages;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.JsonCodec;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A tool that the gateway ran in an earlier answer of this dialect, beside calls of the caller's:
 * it came out as an encrypted thought with the gateway's mark, and comes back so. Open question 61.
 */
final class ServerToolRunDecoder {
  private static final String MARK = "router-server-tool-v1";
  private static final JsonCodec CODEC = new JacksonCodec();

  private ServerToolRunDecoder() {}

  /** Null when it is no such thing, or was changed on its way: then it is a thought of nobody. */
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
