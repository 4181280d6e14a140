package io.strowger.core.destination;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.observe.ExportRequest;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request to a destination and returns the result. Follows no redirect, since its target
 * was not configured. Safe on any thread.
 */
final class DestinationSender {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration SILENCE_TIMEOUT = Duration.ofSeconds(10);

  /** The longest time to read the body of an answer. */
  private static final Duration BODY_TIMEOUT = Duration.ofSeconds(20);

  /**
   * The longest time for a whole exchange. It also ends those that never exceed the limit on
   * silence, as with a destination that reads nothing, or sends its head one byte at a time.
   */
  static final Duration EXCHANGE_TIMEOUT = Duration.ofSeconds(60);

  /** The longest Retry-After in a result; {@link RetryBackoff} limits the pause further. */
  private static final Duration MAX_RETRY_AFTER = Duration.ofDays(1);

  private static final int MAX_BODY_BYTES = 64 << 10;

  private final Transport transport;
  private final Ambient ambient;

  DestinationSender(Transport transport, Ambient ambient) {
    this.transport = transport;
    this.ambient = ambient;
  }

  /** The result of a request. */
  sealed interface SendResult {
    /**
     * There was an answer.
     *
     * @param body the beginning of its body
     * @param retryAfter how long the destination asks to wait; null when it does not say
     */
    record Answered(int status, byte[] body, @Nullable Duration retryAfter) implements SendResult {
      boolean isSuccess() {
        return status / 100 == 2;
      }

      boolean isRetryable() {
        return status == 408 || status == 429 || status / 100 == 5;
      }
    }

    /**
     * There was no answer.
     *
     * @param reason the reason, without the address
     */
    record Unanswered(String reason) implements SendResult {}
  }

  /**
   * Sends a request and waits for its result, at most {@link #EXCHANGE_TIMEOUT}.
   *
   * @param destination the destination's id; its connections are not shared with others
   * @param cancellation ends the exchange when it is cancelled
   */
  SendResult send(ExportRequest request, String destination, Cancellation cancellation) {
    Thread deadline = ambient.start("destination-deadline", () -> cancelAfterTimeout(cancellation));
    try {
      return exchange(request, destination, cancellation);
    } finally {
      deadline.interrupt();
    }
  }

  private void cancelAfterTimeout(Cancellation cancellation) {
    try {
      ambient.sleep(EXCHANGE_TIMEOUT);
      cancellation.cancel(Cancellation.Cause.TOTAL);
    } catch (InterruptedException e) {
      // in time
    }
  }

  private SendResult exchange(
      ExportRequest request, String destination, Cancellation cancellation) {
    var body = JsonOutput.withByteReferences(16);
    body.bytes(request.body());
    try (Transport.Response response =
        transport.send(
            new Transport.Request(
                request.method(),
                request.uri(),
                request.headers(),
                request.contentType(),
                body,
                CONNECT_TIMEOUT,
                SILENCE_TIMEOUT,
                "destination " + destination,
                cancellation))) {
      return new SendResult.Answered(
          response.status(),
          body(response),
          retryAfter(response.header("Retry-After"), ambient.now()));
    } catch (Transport.AddressRefusedException e) {
      return new SendResult.Unanswered("the network rules allow no connection to its address");
    } catch (IOException e) {
      // the message may name the host, and an address may hold a key
      return new SendResult.Unanswered("no answer (" + e.getClass().getSimpleName() + ")");
    }
  }

  /**
   * Returns the beginning of the body; empty when the connection breaks off. Only the status
   * decides: a request that succeeded must not be sent again.
   */
  private byte[] body(Transport.Response response) {
    try {
      byte[] beginning = beginning(response.body());
      if (beginning.length < MAX_BODY_BYTES) {
        response.finish();
      }
      return beginning;
    } catch (IOException e) {
      return new byte[0];
    }
  }

  private byte[] beginning(InputStream body) throws IOException {
    long deadline = ambient.nanoTime() + BODY_TIMEOUT.toNanos();
    var content = new ByteArrayOutputStream();
    byte[] piece = new byte[4096];
    while (content.size() < MAX_BODY_BYTES && ambient.nanoTime() - deadline < 0) {
      int count = body.read(piece, 0, Math.min(piece.length, MAX_BODY_BYTES - content.size()));
      if (count < 0) {
        break;
      }
      content.write(piece, 0, count);
    }
    return content.toByteArray();
  }

  /** Parses seconds or an HTTP date; returns at most a day, null when it is neither. */
  static @Nullable Duration retryAfter(@Nullable String header, Instant now) {
    if (header == null) {
      return null;
    }
    String text = header.strip();
    try {
      if (text.matches("[0-9]{1,9}")) {
        return bounded(Duration.ofSeconds(Long.parseLong(text)));
      }
      Instant at = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      return at.isBefore(now) ? Duration.ZERO : bounded(Duration.between(now, at));
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static Duration bounded(Duration delay) {
    return delay.compareTo(MAX_RETRY_AFTER) > 0 ? MAX_RETRY_AFTER : delay;
  }
}
