package io.strowger.core.upstream;

import io.strowger.core.decode.Problems;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.UnaryRequest;
import io.strowger.spi.model.UploadedFile;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.UnaryAnswer;
import io.strowger.spi.provider.UpstreamException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the requests and checks the answers of one kind of endpoint that is not streamed.
 * Immutable, safe on any thread.
 *
 * @param <R> the requests of the kind
 */
interface UnaryCodec<R extends UnaryRequest> {
  /**
   * A checked answer as the caller receives it.
   *
   * @param document the body in the form of the contract
   * @param usage what the answer used; null when it is not known
   */
  record CheckedAnswer(Json.Obj document, @Nullable Usage usage) {}

  /**
   * Reads a request; returns null when it is invalid.
   *
   * @param upload the file that came with it; null when none did
   */
  @Nullable R decode(Json.Obj members, @Nullable UploadedFile upload, Problems problems);

  /** Returns the message for a request that cannot be read after a content filter changed it. */
  default String unreadableMessage() {
    return "nothing is left of the request after content filters";
  }

  /**
   * Checks the answer of an upstream, for all adapters alike.
   *
   * @param pricing the prices of the endpoint, for amounts that the gateway has to count itself
   * @throws UpstreamException when it is not a valid answer to the request
   */
  CheckedAnswer check(UnaryAnswer answer, R request, Pricing pricing) throws UpstreamException;

  /** Adds the members with these names to another object, as far as they are there. */
  static void copy(List<String> names, Json.Obj from, Json.Obj.Builder to) {
    for (String name : names) {
      Json value = from.get(name);
      if (value != null) {
        to.put(name, value);
      }
    }
  }

  /** Returns the failure for an invalid answer of an upstream. */
  static UpstreamException protocolFailure(String message) {
    return new UpstreamException(Failure.of(FailureKind.PROTOCOL, message));
  }
}
