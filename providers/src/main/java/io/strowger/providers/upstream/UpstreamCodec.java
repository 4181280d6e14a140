package io.strowger.providers.upstream;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.UpstreamException;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What sets one dialect apart from another. Made for one upstream, whose base it knows.
 *
 * <p>Threads: any number at once; it keeps nothing of a call. What lives as long as one stream is
 * in its {@link EventReader}.
 */
public interface UpstreamCodec {

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
   * @throws UpstreamException when the dialect cannot say what is asked
   */
  JsonOutput body(Call call) throws UpstreamException;

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
   * @throws UpstreamException PROTOCOL when it is no answer; what the upstream says when it is one
   *     that broke off with an error
   */
  Answer answer(Json.Obj document, Call call) throws UpstreamException;

  /** Reads the frames of one stream. */
  EventReader events(Call call);

  /** How the dialect has a prompt counted; null when it has no way to. */
  default @Nullable TokenCounting counting() {
    return null;
  }

  /**
   * For a body that says about as much as the request it is made from, and repeats its longer parts
   * without copying them.
   */
  static JsonOutput bodyFor(Call call) {
    int most = 8 << 10; // of what is longer most is not copied, and the rest finds room
    return JsonOutput.splicing(
        Math.min(most, estimatedLength(call.request().members(), most) + 256));
  }

  /** About how long a document is; of one that was changed since it was read, its longer parts. */
  private static int estimatedLength(Json.Obj document, int most) {
    int length = document.sourceLength();
    for (int i = 0; document.sourceLength() == 0 && i < document.size() && length < most; i++) {
      length += document.name(i).length() + 8 + estimatedLength(document.value(i), most);
    }
    return length;
  }

  private static int estimatedLength(Json value, int most) {
    return switch (value) {
      case Json.Str text -> Math.min(text.utf8Bound(), most);
      case Json.Obj members -> estimatedLength(members, most);
      case Json.Arr items -> {
        int length = items.sourceLength();
        for (int i = 0; items.sourceLength() == 0 && i < items.size() && length < most; i++) {
          length += estimatedLength(items.get(i), most);
        }
        yield length;
      }
      case Json.Num number -> number.writtenLength();
      case Json.Bool flag -> 5;
      case Json.Null nothing -> 4;
    };
  }

  /** The body as bytes, in as much room as {@link #bodyFor} gives. */
  static JsonOutput written(Call call, Json.Obj body) {
    JsonOutput out = bodyFor(call);
    body.writeTo(out);
    return out;
  }

  /** The header that authenticates a call in most dialects; none without a credential. */
  static Map<String, String> bearer(Credential credential) {
    return credential.isEmpty()
        ? Map.of()
        : Map.of("Authorization", "Bearer " + credential.reveal());
  }

  /** The path below a base that may or may not end with a slash. */
  static URI resolve(URI base, String path) {
    String start = base.toString();
    return URI.create(start + (start.endsWith("/") ? "" : "/") + path);
  }
}
