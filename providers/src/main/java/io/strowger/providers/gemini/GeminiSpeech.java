package io.strowger.providers.gemini;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.http.OpenCalls;
import io.strowger.providers.sse.SseReader;
import io.strowger.providers.translate.Losses;
import io.strowger.providers.upstream.ErrorBody;
import io.strowger.providers.upstream.HttpUpstream;
import io.strowger.providers.upstream.TransportErrorClassifier;
import io.strowger.providers.upstream.UpstreamCodec;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.AudioStream;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.SpeechCall;
import io.strowger.spi.provider.SpeechProvider;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.spi.speech.SpeechFormat;
import io.strowger.spi.speech.SpeechReferences;
import io.strowger.spi.speech.SpeechRequest;
import io.strowger.spi.speech.SpeechTurn;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Speech from an upstream with the gemini dialect: an answer that consists of raw audio samples.
 * Speaking instructions are written into the prompt, since the dialect has no member for them; each
 * voice of a text with several turns becomes a speaker. Speech fact sheet.
 */
final class GeminiSpeech implements SpeechProvider {
  private static final String GENERATION = "generationConfig";
  private static final String MODALITIES = "responseModalities";
  private static final String SPEECH = "speechConfig";

  /** The members that provider options may add to the body. */
  private static final Set<String> OPTION_MEMBERS = Set.of(GENERATION, "safetySettings", "labels");

  /** The members that the body has in another form, or that only the gateway reads. */
  private static final Set<String> HANDLED_MEMBERS =
      Set.of("model", "input", "voice", "response_format", "instructions", "speed");

  private final HttpUpstream upstream;
  private final JsonCodec codec;
  private final AnswerMemory memory;
  private final URI base;
  private final OpenCalls calls = new OpenCalls();

  /**
   * @param transport the transport, which its owner closes after this adapter
   * @param memory the memory for the frames of answers
   */
  GeminiSpeech(Transport transport, ProviderSettings settings, AnswerMemory memory) {
    this.upstream = new HttpUpstream(transport, settings);
    this.codec = settings.codec();
    this.memory = memory;
    this.base = settings.baseUri();
  }

  @Override
  public AudioStream open(SpeechCall call) throws UpstreamException {
    JsonOutput body = body(call);
    URI uri =
        UpstreamCodec.resolve(
            base,
            GeminiCodec.modelPath(call.endpoint().upstreamModel())
                + ":streamGenerateContent?alt=sse");
    Cancellation.Child exchange = calls.begin(call.cancellation());
    AnswerMemory.Share share = memory.begin();
    GeminiAudioStream stream = null;
    boolean succeeded = false;
    try {
      Transport.Response response =
          upstream.send(
              new HttpUpstream.UpstreamRequest(
                  uri,
                  "text/event-stream",
                  headers(call),
                  body,
                  call.credential(),
                  call.readTimeout(),
                  call.traceparent()),
              exchange.cancellation());
      stream = new GeminiAudioStream(response, call, exchange, share);
      stream.begin();
      succeeded = true;
      return stream;
    } catch (IOException exception) {
      throw upstream.toUpstreamException(exception, exchange.cancellation());
    } finally {
      if (!succeeded) {
        if (stream != null) {
          stream.close();
        }
        share.close();
        calls.end(exchange);
      }
    }
  }

  private static Map<String, String> headers(SpeechCall call) {
    return call.credential().isEmpty()
        ? Map.of()
        : Map.of("x-goog-api-key", call.credential().reveal());
  }

  private static JsonOutput body(SpeechCall call) throws UpstreamException {
    SpeechRequest request = call.request();
    if (!call.format().equals(SpeechFormat.PCM.wireName())) {
      throw refusal("the upstream can produce only pcm, not " + call.format());
    }
    if (!(request.references() instanceof SpeechReferences.None)) {
      throw refusal("the upstream accepts no input_references");
    }
    var losses = new Losses(call.losses());
    Map<String, String> speakers = speakers(request);
    Json.Obj part = Json.object().put("text", text(request, speakers)).build();
    Json.Obj content = Json.object().put("role", "user").put("parts", Json.array(part)).build();
    Json.Obj generation =
        Json.object()
            .put(MODALITIES, Json.array(Json.of("AUDIO")))
            .put(SPEECH, speech(request, speakers))
            .build();
    Json.Obj body =
        Json.object().put("contents", Json.array(content)).put(GENERATION, generation).build();
    body = withOptions(body, call.options(), losses);
    reportLosses(request, losses);
    JsonOutput out = JsonOutput.withByteReferences(1 << 10);
    body.writeTo(out);
    return out;
  }

  private static UpstreamException refusal(String message) {
    return new UpstreamException(Failure.of(FailureKind.INVALID_REQUEST, message));
  }

  /** Returns a speaker name for each voice, in order of first use. */
  private static Map<String, String> speakers(SpeechRequest request) {
    var speakers = new LinkedHashMap<String, String>();
    for (SpeechTurn turn : request.turns()) {
      speakers.putIfAbsent(turn.voice(), "Speaker" + (speakers.size() + 1));
    }
    return speakers;
  }

  private static String text(SpeechRequest request, Map<String, String> speakers) {
    var text = new StringBuilder();
    String commonInstructions = request.instructions();
    if (commonInstructions != null && !commonInstructions.isBlank()) {
      text.append(commonInstructions).append(":\n");
    }
    String separator = "";
    for (SpeechTurn turn : request.turns()) {
      text.append(separator);
      separator = "\n";
      if (speakers.size() > 1) {
        text.append(speakers.get(turn.voice())).append(": ");
      }
      String turnInstructions = turn.instructions();
      if (turnInstructions != null
          && !turnInstructions.isBlank()
          && !turnInstructions.equals(commonInstructions)) {
        text.append('[').append(turnInstructions).append("] ");
      }
      text.append(turn.text());
    }
    return text.toString();
  }

  private static Json.Obj speech(SpeechRequest request, Map<String, String> speakers) {
    if (speakers.size() == 1) {
      return Json.object().put("voiceConfig", voice(request.turns().getFirst().voice())).build();
    }
    var voices = new ArrayList<Json>();
    speakers.forEach(
        (voice, speaker) ->
            voices.add(
                Json.object().put("speaker", speaker).put("voiceConfig", voice(voice)).build()));
    Json.Obj config = Json.object().put("speakerVoiceConfigs", Json.array(voices)).build();
    return Json.object().put("multiSpeakerVoiceConfig", config).build();
  }

  private static Json.Obj voice(String name) {
    Json.Obj voice = Json.object().put("voiceName", name).build();
    return Json.object().put("prebuiltVoiceConfig", voice).build();
  }

  private static Json.Obj withOptions(Json.Obj body, Json.Obj options, Losses losses) {
    Json.Obj result = body;
    for (int i = 0; i < options.size(); i++) {
      String name = options.name(i);
      Json value = options.value(i);
      if (!OPTION_MEMBERS.contains(name)
          || name.equals(GENERATION) && !(value instanceof Json.Obj)) {
        losses.dropped("provider.options." + name, "options may not set this member");
      } else if (value instanceof Json.Obj addition && name.equals(GENERATION)) {
        Json.Obj existing = body.object(GENERATION);
        Json.Obj.Builder generation =
            Json.object().putAll(addition.without(MODALITIES).without(SPEECH));
        result =
            result.with(
                GENERATION, (existing == null ? generation : generation.putAll(existing)).build());
      } else {
        result = result.with(name, value);
      }
    }
    return result;
  }

  /** Reports the members of the request that this dialect cannot express. */
  private static void reportLosses(SpeechRequest request, Losses losses) {
    if (request.speed().compareTo(BigDecimal.ONE) != 0) {
      losses.dropped("speed", "has no form in this dialect");
    }
    Json.Obj members = request.members();
    for (int i = 0; i < members.size(); i++) {
      if (!HANDLED_MEMBERS.contains(members.name(i))
          && !members.name(i).equals("input_references")) {
        losses.dropped(members.name(i), "has no form in this dialect");
      }
    }
  }

  @Override
  public void close() {
    calls.close();
  }

  /** The audio in the frames of one answer. Read by one thread; closed by any. */
  private final class GeminiAudioStream implements AudioStream {
    private final Transport.Response response;
    private final SpeechCall call;
    private final Cancellation.Child exchange;
    private final AnswerMemory.Share share;
    private final SseReader frames;
    private @Nullable String mediaType;
    private byte[] audio = new byte[0];
    private int position; // the index of the next byte of audio to return
    private long largestFrame; // bytes of the largest frame so far, for which memory was taken
    private @Nullable GeminiFinish latestFinish;
    private @Nullable Usage usage;
    private boolean ended;

    GeminiAudioStream(
        Transport.Response response,
        SpeechCall call,
        Cancellation.Child exchange,
        AnswerMemory.Share share) {
      this.response = response;
      this.call = call;
      this.exchange = exchange;
      this.share = share;
      this.frames = new SseReader(response.body(), SseReader.DEFAULT_MAX_EVENT_BYTES, share::take);
    }

    /** Waits for the first audio, whose media type applies to all of it. */
    void begin() throws IOException, UpstreamException {
      if (HttpUpstream.isJson(response)) {
        Json.Obj document = upstream.readDocument(response, share);
        upstream.throwIfError(ErrorBody.of(document), response, call.credential());
        throw TransportErrorClassifier.protocolException(
            "the upstream sent one document instead of a stream");
      }
      pull();
    }

    /** Reads up to the next audio or to the end of the answer. */
    private void pull() throws IOException, UpstreamException {
      while (position == audio.length && !ended) {
        if (frames.next()) {
          readFrame();
        } else {
          end();
        }
      }
    }

    private void readFrame() throws IOException, UpstreamException {
      byte[] bytes = Arrays.copyOfRange(frames.buffer(), frames.start(), frames.end());
      if (bytes.length > largestFrame) {
        share.take(2 * (bytes.length - largestFrame)); // for the frame and its audio
        largestFrame = bytes.length;
      }
      try {
        if (!(codec.parse(bytes) instanceof Json.Obj document)) {
          throw TransportErrorClassifier.protocolException(
              "the upstream sent a frame that is not a JSON object");
        }
        upstream.throwIfError(ErrorBody.of(document), response, call.credential());
        read(document);
      } catch (JsonCodec.MalformedJsonException malformed) {
        throw TransportErrorClassifier.protocolException(
            "the upstream sent a frame that is not JSON: " + malformed.getMessage());
      }
    }

    private void read(Json.Obj document) throws UpstreamException {
      Json.Obj usageMetadata = document.object("usageMetadata");
      if (usageMetadata != null) {
        usage = GeminiUsage.of(usageMetadata, 0);
      }
      Json.Obj candidate = GeminiFinish.candidate(document);
      Json.Obj content = candidate == null ? null : candidate.object("content");
      Json.Arr parts = content == null ? null : content.list("parts");
      var chunks = new ArrayList<byte[]>(1);
      for (int i = 0; parts != null && i < parts.size(); i++) {
        Json.Obj inline = parts.get(i) instanceof Json.Obj part ? part.object("inlineData") : null;
        if (inline != null) {
          chunks.add(decode(inline));
        }
      }
      audio = join(chunks);
      position = 0;
      GeminiFinish finish = GeminiFinish.of(document);
      if (finish.upstreamReason() != null) {
        latestFinish = finish;
      }
    }

    private byte[] decode(Json.Obj inline) throws UpstreamException {
      if (mediaType == null) {
        mediaType = inline.text("mimeType");
      }
      String data = inline.text("data");
      try {
        return data == null ? new byte[0] : Base64.getDecoder().decode(data);
      } catch (IllegalArgumentException notBase64) {
        throw TransportErrorClassifier.protocolException(
            "the upstream sent audio that is not base64");
      }
    }

    /** Ends the answer: its finish reason decides between success and failure. */
    private void end() throws UpstreamException {
      ended = true;
      GeminiFinish finish = latestFinish;
      if (finish == null) {
        throw new UpstreamException(TransportErrorClassifier.truncated());
      }
      switch (finish.reason(false)) {
        case ERROR -> throw new UpstreamException(finish.failure());
        case CONTENT_FILTER, REFUSAL ->
            throw new UpstreamException(
                Failure.of(
                    FailureKind.CONTENT_POLICY,
                    "the upstream stopped the speech: " + finish.upstreamReason()));
        case LENGTH, CONTEXT_WINDOW ->
            throw new UpstreamException(
                Failure.of(
                    FailureKind.CONTEXT_LENGTH,
                    "the text is too long for one answer of the upstream: split it"));
        case END, STOP_SEQUENCE, PAUSE, COMPACTION, TOOL_CALLS -> close();
      }
    }

    @Override
    public @Nullable String mediaType() {
      return mediaType;
    }

    @Override
    public int read(byte[] buffer) throws UpstreamException {
      boolean succeeded = false;
      try {
        pull();
        succeeded = true;
      } catch (IOException exception) {
        throw upstream.toUpstreamException(exception, exchange.cancellation());
      } finally {
        if (!succeeded) {
          ended = true;
          close();
        }
      }
      int length = Math.min(buffer.length, audio.length - position);
      if (length == 0) {
        return -1;
      }
      System.arraycopy(audio, position, buffer, 0, length);
      position += length;
      return length;
    }

    @Override
    public boolean ready() {
      return ended || position < audio.length || frames.ready();
    }

    @Override
    public @Nullable Usage usage() {
      return usage;
    }

    @Override
    public void close() {
      response.close();
      share.close();
      calls.end(exchange);
    }
  }

  private static byte[] join(List<byte[]> chunks) {
    if (chunks.size() == 1) {
      return chunks.getFirst();
    }
    int length = chunks.stream().mapToInt(chunk -> chunk.length).sum();
    var result = new byte[length];
    int offset = 0;
    for (byte[] chunk : chunks) {
      System.arraycopy(chunk, 0, result, offset, chunk.length);
      offset += chunk.length;
    }
    return result;
  }
}
