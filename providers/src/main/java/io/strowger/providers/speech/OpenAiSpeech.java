package io.strowger.providers.speech;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.http.OpenCalls;
import io.strowger.providers.translate.Losses;
import io.strowger.providers.upstream.ErrorBody;
import io.strowger.providers.upstream.HttpUpstream;
import io.strowger.providers.upstream.OptionsMerger;
import io.strowger.providers.upstream.TransportErrorClassifier;
import io.strowger.providers.upstream.UpstreamCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.AudioStream;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.SpeechCall;
import io.strowger.spi.provider.SpeechProvider;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.spi.speech.SpeechReferences;
import java.io.IOException;
import java.net.URI;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The adapter for upstreams with the OpenAI speech API: {@code POST audio/speech}. The body is sent
 * as it came except for the model and the format, and the audio is passed on byte for byte. Speech
 * fact sheet.
 */
public final class OpenAiSpeech implements SpeechProvider {
  private static final String REFERENCES = "input_references";
  private static final String ACCEPTED_TYPES = "audio/*, application/octet-stream";

  /** The members that would make the answer something other than audio. */
  private static final Set<String> STREAMING_MEMBERS = Set.of("stream", "stream_format");

  /** The members that provider options may not set: they determine what is spoken, and how. */
  private static final Set<String> RESERVED_MEMBERS =
      Set.of(
          "model",
          "input",
          "voice",
          "response_format",
          "instructions",
          REFERENCES,
          "stream",
          "stream_format",
          "provider",
          "session_id",
          "trace",
          "user");

  private final HttpUpstream upstream;
  private final AnswerMemory memory;
  private final URI uri;
  private final OpenCalls calls = new OpenCalls();

  /**
   * @param transport the transport, which its owner closes after this adapter
   * @param memory the memory for documents that come in place of audio
   */
  public OpenAiSpeech(Transport transport, ProviderSettings settings, AnswerMemory memory) {
    this.upstream = new HttpUpstream(transport, settings);
    this.memory = memory;
    this.uri = UpstreamCodec.resolve(settings.baseUri(), "audio/speech");
  }

  @Override
  public AudioStream open(SpeechCall call) throws UpstreamException {
    JsonOutput body = body(call);
    Cancellation.Child exchange = calls.begin(call.cancellation());
    AudioStream stream = null;
    try {
      Transport.Response response =
          upstream.send(
              new HttpUpstream.UpstreamRequest(
                  uri,
                  ACCEPTED_TYPES,
                  UpstreamCodec.bearerHeader(call.credential()),
                  body,
                  call.credential(),
                  call.readTimeout(),
                  call.traceparent()),
              exchange.cancellation());
      stream = toStream(response, call, exchange);
      return stream;
    } catch (IOException exception) {
      throw upstream.toUpstreamException(exception, exchange.cancellation());
    } finally {
      if (stream == null) {
        calls.end(exchange);
      }
    }
  }

  private AudioStream toStream(
      Transport.Response response, SpeechCall call, Cancellation.Child exchange)
      throws IOException, UpstreamException {
    if (!HttpUpstream.isJson(response)) {
      return new ResponseAudioStream(response, response.header("content-type"), exchange);
    }
    try (response;
        AnswerMemory.Share share = memory.begin()) {
      Json.Obj document = upstream.readDocument(response, share);
      upstream.throwIfError(ErrorBody.of(document), response, call.credential());
      throw TransportErrorClassifier.protocolException(
          "the upstream sent a document instead of audio");
    }
  }

  private static JsonOutput body(SpeechCall call) {
    var losses = new Losses(call.losses());
    Json.Obj members = call.request().members();
    Json.Obj body =
        members
            .with("model", Json.of(call.endpoint().upstreamModel()))
            .with("response_format", Json.of(call.format()));
    for (String name : STREAMING_MEMBERS) {
      if (members.has(name)) {
        body = body.without(name);
        losses.dropped(name, "audio is always streamed as it comes");
      }
    }
    if (call.request().references() instanceof SpeechReferences.None) {
      // an empty list means nothing, and few upstreams know the member
      body = body.without(REFERENCES);
    }
    body = OptionsMerger.merge(body, call.options(), RESERVED_MEMBERS, losses);
    JsonOutput out = JsonOutput.withByteReferences(Math.min(8 << 10, members.sourceLength() + 256));
    body.writeTo(out);
    return out;
  }

  @Override
  public void close() {
    calls.close();
  }

  /** The body of the response, passed on as it comes. */
  private final class ResponseAudioStream implements AudioStream {
    private final Transport.Response response;
    private final @Nullable String mediaType;
    private final Cancellation.Child exchange;
    private boolean ended;

    ResponseAudioStream(
        Transport.Response response, @Nullable String mediaType, Cancellation.Child exchange) {
      this.response = response;
      this.mediaType = mediaType;
      this.exchange = exchange;
    }

    @Override
    public @Nullable String mediaType() {
      return mediaType;
    }

    @Override
    public int read(byte[] buffer) throws UpstreamException {
      if (ended) {
        return -1;
      }
      try {
        int read = response.body().read(buffer);
        if (read < 0) {
          ended = true;
          close();
        }
        return read;
      } catch (IOException exception) {
        UpstreamException failure =
            upstream.toUpstreamException(exception, exchange.cancellation());
        close();
        throw failure;
      }
    }

    @Override
    public boolean ready() {
      try {
        return ended || response.body().available() > 0;
      } catch (IOException exception) {
        return true; // the next read fails at once
      }
    }

    @Override
    public @Nullable Usage usage() {
      return null;
    }

    @Override
    public void close() {
      response.close();
      calls.end(exchange);
    }
  }
}
