package io.strowger.core.dialect.chat;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.UnsupportedFeatures;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Makes and decodes bodies of chat requests for tests. */
public final class ChatRequestBodies {
  public static final ChatDecoder DECODER = new ChatDecoder((entries, at, problems) -> {});
  private static final JacksonCodec CODEC = new JacksonCodec();

  private ChatRequestBodies() {}

  /** Parses an object that is written with single quotes instead of double ones. */
  public static Json.Obj json(String text) {
    try {
      return (Json.Obj) CODEC.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException wrong) {
      throw new IllegalArgumentException(text, wrong);
    }
  }

  /** Returns a valid request with one more member. */
  public static Json.Obj chatWith(String member) {
    return json("{'messages':[{'role':'user','content':'hi'}]," + member + "}");
  }

  public static Json.Obj chatOf(String messages) {
    return json("{'messages':[" + messages + "]}");
  }

  public static List<String> problems(Json.Obj body) {
    var problems = new Problems();
    DECODER.decode(body, problems);
    return problems.list().stream().map(Problem::toString).toList();
  }

  /**
   * Returns every problem of a body: those that the decoder finds, and the unsupported features.
   */
  public static List<String> refusals(Json.Obj body) {
    var problems = new Problems();
    DECODER.decode(body, problems);
    UnsupportedFeatures.check(body, (entry, at, found) -> {}, problems);
    return problems.list().stream().map(Problem::toString).toList();
  }

  /** Decodes a body that must be valid. */
  public static InferenceRequest decode(Json.Obj body) {
    var problems = new Problems();
    InferenceRequest request = DECODER.decode(body, problems);
    problems.throwIfAny();
    return request;
  }
}
