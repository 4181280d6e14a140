package io.strowger.providers.upstream;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.UpstreamException;
import java.net.URI;
import java.util.Set;

/**
 * The request by which a dialect counts the tokens of a prompt. The headers are those of any call.
 *
 * <p>Threads: any number at once; an implementation keeps no state of a call.
 */
public interface TokenCounting {
  /** Returns the URI of the count request. */
  URI uri(Call call);

  /**
   * Returns the body: that of an inference request, without members that concern only the answer.
   */
  JsonOutput body(Call call);

  /**
   * Returns the number of tokens in the body of a response with status 200; it may be negative or
   * implausible.
   *
   * @throws UpstreamException PROTOCOL when there is none
   */
  long tokens(Json.Obj document) throws UpstreamException;

  /** Returns the named members of a body, in their order. */
  static Json.Obj selectMembers(Json.Obj document, Set<String> names) {
    Json.Obj.Builder body = Json.object();
    for (int i = 0; i < document.size(); i++) {
      if (names.contains(document.name(i))) {
        body.put(document.name(i), document.value(i));
      }
    }
    return body.build();
  }

  /**
   * Returns the whole number in a member of a document.
   *
   * @throws UpstreamException PROTOCOL when there is none
   */
  static long requireCount(Json.Obj document, String name) throws UpstreamException {
    if (document.get(name) instanceof Json.Num count && count.asLong().isPresent()) {
      return count.asLong().getAsLong();
    }
    throw TransportErrorClassifier.protocolException(
        "the upstream sent a count without a whole number of tokens");
  }
}
