package io.strowger.host.demo;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client of the gateway, over real HTTP. */
final class HttpCaller implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String DATA = "data: ";

  private final URI api;
  private final URI chat;
  private final Ambient ambient;
  private final JsonCodec codec = new JacksonCodec();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  HttpCaller(URI api, Ambient ambient) {
    this.api = api;
    this.chat = URI.create(api + "/chat/completions");
    this.ambient = ambient;
  }

  /**
   * The answer to a request.
   *
   * @param id the generation id; null when the request was refused before it had one
   * @param body the body; empty for a stream
   * @param millis the time until the end of the answer, in milliseconds
   */
  record Answer(int status, @Nullable String id, Json.Obj body, double millis) {
    /** Returns the text of the first choice, or the message of the error. */
    String text() {
      Json.Obj error = body.object("error");
      if (error != null) {
        return String.valueOf(error.text("message"));
      }
      Json.Obj message = firstChoice(body, "message");
      return message == null ? "" : String.valueOf(message.text("content"));
    }
  }

  /**
   * One event of a stream.
   *
   * @param text the text of the event; empty when it has none
   * @param error the error that ended the stream; null for any other event
   */
  record Piece(String text, Json.@Nullable Obj error, double millis) {}

  Answer ask(String key, Json.Obj request) throws IOException, InterruptedException {
    return send(post(chat, key, request));
  }

  /** Sends a request to another path than that of chat. */
  Answer ask(String path, String key, Json.Obj request) throws IOException, InterruptedException {
    return send(post(at(path), key, request));
  }

  Answer get(String path, String key) throws IOException, InterruptedException {
    return send(request(at(path), key).GET().build());
  }

  private Answer send(HttpRequest request) throws IOException, InterruptedException {
    long start = ambient.nanoTime();
    HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    return new Answer(
        response.statusCode(), id(response), object(response.body()), millisSince(start));
  }

  /** Sends a request to another path than that of chat, and returns the body unparsed. */
  RawAnswer askRaw(String path, String key, Json.Obj request)
      throws IOException, InterruptedException {
    HttpResponse<byte[]> response =
        client.send(post(at(path), key, request), HttpResponse.BodyHandlers.ofByteArray());
    return new RawAnswer(
        response.statusCode(), id(response), new String(response.body(), StandardCharsets.UTF_8));
  }

  private URI at(String path) {
    return URI.create(api + path);
  }

  /** An answer with its unparsed body, in any dialect. */
  record RawAnswer(int status, @Nullable String id, String body) {}

  /** Requests a stream and passes on its events as they arrive. */
  Answer stream(String key, Json.Obj request, Consumer<Piece> pieces)
      throws IOException, InterruptedException {
    long start = ambient.nanoTime();
    HttpResponse<InputStream> response = open(key, request);
    try (var lines = lines(response)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Piece piece = piece(line, start);
        if (piece != null) {
          pieces.accept(piece);
        }
      }
    }
    return new Answer(response.statusCode(), id(response), Json.Obj.EMPTY, millisSince(start));
  }

  /**
   * A spoken answer.
   *
   * @param beginning the first bytes
   * @param firstMillis the time until these had arrived, in milliseconds
   * @param bytes the total number of bytes
   */
  record SpeechAnswer(
      Answer answer, String contentType, byte[] beginning, double firstMillis, long bytes) {}

  /**
   * Requests speech and reads it as it arrives.
   *
   * @param maxBytes how many of the first bytes to return
   */
  SpeechAnswer speak(String key, Json.Obj request, int maxBytes)
      throws IOException, InterruptedException {
    long start = ambient.nanoTime();
    HttpResponse<InputStream> response =
        client.send(
            post(at("/audio/speech"), key, request), HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream sound = response.body()) {
      byte[] beginning = sound.readNBytes(maxBytes);
      double first = millisSince(start);
      long remaining = sound.transferTo(OutputStream.nullOutputStream());
      var answer =
          new Answer(response.statusCode(), id(response), Json.Obj.EMPTY, millisSince(start));
      return new SpeechAnswer(
          answer,
          response.headers().firstValue("Content-Type").orElse(""),
          beginning,
          first,
          beginning.length + remaining);
    }
  }

  /** Requests a stream, reads up to its first text and closes the connection. */
  Answer streamAndLeave(String key, Json.Obj request, Consumer<Piece> first)
      throws IOException, InterruptedException {
    long start = ambient.nanoTime();
    HttpResponse<InputStream> response = open(key, request);
    try (var lines = lines(response)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Piece piece = piece(line, start);
        if (piece != null && !piece.text().isEmpty()) {
          first.accept(piece);
          break;
        }
      }
    }
    return new Answer(response.statusCode(), id(response), Json.Obj.EMPTY, millisSince(start));
  }

  private HttpResponse<InputStream> open(String key, Json.Obj request)
      throws IOException, InterruptedException {
    return client.send(
        post(chat, key, request.with("stream", Json.TRUE)),
        HttpResponse.BodyHandlers.ofInputStream());
  }

  private static BufferedReader lines(HttpResponse<InputStream> response) {
    return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  private static HttpRequest post(URI to, String key, Json.Obj request) {
    return request(to, key)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofByteArray(request.toBytes()))
        .build();
  }

  private static HttpRequest.Builder request(URI to, String key) {
    return HttpRequest.newBuilder(to).timeout(PATIENCE).header("Authorization", "Bearer " + key);
  }

  private @Nullable Piece piece(String line, long start) throws IOException {
    if (!line.startsWith(DATA) || line.endsWith("[DONE]")) {
      return null;
    }
    Json.Obj event = object(line.substring(DATA.length()).getBytes(StandardCharsets.UTF_8));
    Json.Obj delta = firstChoice(event, "delta");
    String text = delta == null ? null : delta.text("content");
    return new Piece(text == null ? "" : text, event.object("error"), millisSince(start));
  }

  private static Json.@Nullable Obj firstChoice(Json.Obj body, String member) {
    Json.Arr choices = body.list("choices");
    return choices != null && !choices.isEmpty() && choices.getFirst() instanceof Json.Obj choice
        ? choice.object(member)
        : null;
  }

  private Json.Obj object(byte[] bytes) throws IOException {
    try {
      return codec.parse(bytes) instanceof Json.Obj obj ? obj : Json.Obj.EMPTY;
    } catch (JsonCodec.MalformedJsonException e) {
      throw new IOException("the gateway sent something that is not JSON", e);
    }
  }

  private static @Nullable String id(HttpResponse<?> response) {
    return response.headers().firstValue("X-Generation-Id").orElse(null);
  }

  private double millisSince(long start) {
    return (ambient.nanoTime() - start) / 1e6;
  }

  @Override
  public void close() {
    client.close();
  }
}
