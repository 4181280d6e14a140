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
 * Writes requests to and reads answers from an upstream in one dialect. Created for one upstream
 * and its base URI.
 *
 * <p>Threads: any number at once; a codec keeps no state of a call. The state of one stream is in
 * its {@link EventReader}.
 */
public interface UpstreamCodec {

  /**
   * Returns the name by which the configuration selects this dialect, such as {@code openai-chat};
   * its {@code ProviderFactory} has the same.
   */
  String protocol();

  /** Returns the URI of a call. */
  URI uri(Call call);

  /**
   * Returns the credential, in the dialect's form, and the dialect's own headers; these replace
   * configured headers of the same name.
   */
  Map<String, String> headers(Call call);

  /**
   * Returns the body of a call.
   *
   * @throws UpstreamException when the dialect cannot express the request
   */
  JsonOutput body(Call call) throws UpstreamException;

  /**
   * Returns the error in a document with status 200; null when the document reports none. Some
   * upstreams report errors that way.
   */
  default @Nullable ErrorBody error(Json.Obj document) {
    return document.get("error") instanceof Json.Null ? null : ErrorBody.of(document);
  }

  /**
   * Returns the answer in a document with status 200 that has no {@link #error}.
   *
   * @throws UpstreamException PROTOCOL when the document is not an answer; the upstream's failure
   *     when the answer broke off with an error
   */
  Answer answer(Json.Obj document, Call call) throws UpstreamException;

  /** Returns a new reader for the frames of one stream. */
  EventReader events(Call call);

  /** Returns the request that counts the tokens of a prompt; null when the dialect has none. */
  default @Nullable TokenCounting tokenCounting() {
    return null;
  }

  /**
   * Returns an output for a body about as large as the call's request. Long parts are referenced,
   * not copied.
   */
  static JsonOutput newOutput(Call call) {
    int maxCapacity = 8 << 10; // long parts are not copied, so this is enough
    return JsonOutput.withByteReferences(
        Math.min(maxCapacity, estimatedLength(call.request().members(), maxCapacity) + 256));
  }

  /**
   * Estimates the length of a document in bytes; for a changed document, from the lengths of its
   * members.
   */
  private static int estimatedLength(Json.Obj document, int maxLength) {
    int length = document.sourceLength();
    for (int i = 0;
        document.sourceLength() == 0 && i < document.size() && length < maxLength;
        i++) {
      length += document.name(i).length() + 8 + estimatedLength(document.value(i), maxLength);
    }
    return length;
  }

  private static int estimatedLength(Json value, int maxLength) {
    return switch (value) {
      case Json.Str text -> Math.min(text.utf8Bound(), maxLength);
      case Json.Obj members -> estimatedLength(members, maxLength);
      case Json.Arr items -> {
        int length = items.sourceLength();
        for (int i = 0; items.sourceLength() == 0 && i < items.size() && length < maxLength; i++) {
          length += estimatedLength(items.get(i), maxLength);
        }
        yield length;
      }
      case Json.Num number -> number.writtenLength();
      case Json.Bool flag -> 5;
      case Json.Null nothing -> 4;
    };
  }

  /** Returns the body as bytes, in an output from {@link #newOutput}. */
  static JsonOutput toOutput(Call call, Json.Obj body) {
    JsonOutput out = newOutput(call);
    body.writeTo(out);
    return out;
  }

  /** Returns the usual header for authentication; empty without a credential. */
  static Map<String, String> bearerHeader(Credential credential) {
    return credential.isEmpty()
        ? Map.of()
        : Map.of("Authorization", "Bearer " + credential.reveal());
  }

  /** Resolves a path below a base, which may or may not end with a slash. */
  static URI resolve(URI base, String path) {
    String start = base.toString();
    return URI.create(start + (start.endsWith("/") ? "" : "/") + path);
  }
}
