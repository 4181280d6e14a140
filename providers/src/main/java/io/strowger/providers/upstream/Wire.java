package io.strowger.providers.upstream;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.UpstreamFailure;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What sets one dialect apart from another. Made for one upstream, whose base it knows.
 *
 * <p>Threads: any number at once; it keeps nothing of a call. What lives as long as one stream is
 * in its {@link FrameEvents}.
 */
public interface Wire {

  /** The dialect, such as {@code openai-chat}. */
  String protocol();

  /** Where the call goes. */
  URI uri(Call call);

  /**
   * The credential, in the dialect's way, and the dialect's own headers; they replace the
   * upstream's configured ones of the same name.
   */
  Map<String, String> headers(Call call);

  /**
   * What is sent.
   *
   * @throws UpstreamFailure when the dialect cannot say what is asked
   */
  JsonOutput body(Call call) throws UpstreamFailure;

  /**
   * The error that a document with status 200 is instead of an answer; null when it is none. Some
   * upstreams report errors so.
   */
  default @Nullable ErrorBody error(Json.Obj document) {
    return document.get("error") instanceof Json.Null ? null : ErrorBody.of(document);
  }

  /**
   * The answer of a whole document with status 200 that has no {@link #error}.
   *
   * @throws UpstreamFailure PROTOCOL when it is no answer; what the upstream says when it is one
   *     that broke off with an error
   */
  Answer answer(Json.Obj document, Call call) throws UpstreamFailure;

  /** Reads the frames of one stream. */
  FrameEvents events(Call call);

  /** How the dialect has a prompt counted; null when it has no way to. */
  default @Nullable Counting counting() {
    return null;
  }

  /**
   * For a body that says about as much as the request it is made from, and repeats its longer parts
   * without copying them.
   */
  static JsonOutput bodyFor(Call call) {
    int most = 8 << 10; // of what is longer most is not copied, and the rest finds room
    int said = call.request().members().sourceLength();
    return JsonOutput.splicing(said > 0 ? Math.min(most, said + 256) : 2 << 10);
  }

  /** The path below a base that may or may not end with a slash. */
  static URI under(URI base, String path) {
    String start = base.toString();
    return URI.create(start + (start.endsWith("/") ? "" : "/") + path);
  }
}
