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

/** Words for the tests of decoders. */
public final class Documents {
  public static final ChatDecoder DECODER = new ChatDecoder((entries, at, problems) -> {});
  private static final JacksonCodec CODEC = new JacksonCodec();

  private Documents() {}

  /** JSON with single quotes for double ones. */
  public static Json.Obj json(String text) {
    try {
      return (Json.Obj) CODEC.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException wrong) {
      throw new IllegalArgumentException(text, wrong);
    }
  }

  /** A good request with one more member. */
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

  /** What the gateway says of a body: what is wrong with it, and what it cannot do yet. */
  public static List<String> refusals(Json.Obj body) {
    var problems = new Problems();
    DECODER.decode(body, problems);
    UnsupportedFeatures.check(body, (entry, at, found) -> {}, problems);
    return problems.list().stream().map(Problem::toString).toList();
  }

  /** The request, which has to be good. */
  public static InferenceRequest good(Json.Obj body) {
    var problems = new Problems();
    InferenceRequest request = DECODER.decode(body, problems);
    problems.throwIfAny();
    return request;
  }
}
