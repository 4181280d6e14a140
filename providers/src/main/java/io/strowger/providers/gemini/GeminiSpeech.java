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
 * Speech from an upstream that speaks {@code gemini}: an answer that consists of raw audio samples.
 * Speaking instructions are written into the prompt, since the dialect has no member for them; each
 * voice of a text with several turns becomes a speaker. Speech fact sheet.
 */
final class GeminiSpeech implements SpeechProvider {
  private static final String GENERATION = "generationConfig";
  private static final String MODALITIES = "responseModalities";
  private static final String SPEECH = "speechConfig";

  /** The members that provider options may add to the body. */
  private static final Set<String> ADDED = Set.of(GENERATION, "safetySettings", "labels");

  /** The members that the body has in another form, or that only the gateway reads. */
  private static final Set<String> SAID =
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
            base, ModelPath.of(call.endpoint().upstreamModel()) + ":streamGenerateContent?alt=sse");
    Cancellation.Child exchange = calls.begin(call.cancellation());
    AnswerMemory.Share share = memory.begin();
    Sound opened = null;
    boolean begun = false;
    try {
      Transport.Response response =
          upstream.accepted(
              new HttpUpstream.Sent(
                  uri,
                  "text/event-stream",
                  headers(call),
                  body,
                  call.credential(),
                  call.longestSilence(),
                  call.traceparent()),
              exchange.cancellation());
      opened = new Sound(response, call, exchange, share);
      opened.begin();
      begun = true;
      return opened;
    } catch (IOException broken) {
      throw upstream.failed(broken, exchange.cancellation());
    } finally {
      if (!begun) {
        if (opened != null) {
          opened.close();
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
      throw refused("the upstream makes pcm only, not " + call.format());
    }
    if (!(request.references() instanceof SpeechReferences.None)) {
      throw refused("the upstream takes no references for a voice");
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
    unsaid(request, losses);
    JsonOutput out = JsonOutput.splicing(1 << 10);
    body.writeTo(out);
    return out;
  }

  private static UpstreamException refused(String message) {
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
    String whole = request.instructions();
    if (whole != null && !whole.isBlank()) {
      text.append(whole).append(":\n");
    }
    String separator = "";
    for (SpeechTurn turn : request.turns()) {
      text.append(separator);
      separator = "\n";
      if (speakers.size() > 1) {
        text.append(speakers.get(turn.voice())).append(": ");
      }
      String own = turn.instructions();
      if (own != null && !own.isBlank() && !own.equals(whole)) {
        text.append('[').append(own).append("] ");
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
    Json.Obj all = Json.object().put("speakerVoiceConfigs", Json.array(voices)).build();
    return Json.object().put("multiSpeakerVoiceConfig", all).build();
  }

  private static Json.Obj voice(String name) {
    Json.Obj voice = Json.object().put("voiceName", name).build();
    return Json.object().put("prebuiltVoiceConfig", voice).build();
  }

  private static Json.Obj withOptions(Json.Obj body, Json.Obj options, Losses losses) {
    Json.Obj all = body;
    for (int i = 0; i < options.size(); i++) {
      String name = options.name(i);
      Json value = options.value(i);
      if (!ADDED.contains(name) || name.equals(GENERATION) && !(value instanceof Json.Obj)) {
        losses.dropped("provider.options." + name, "nothing may be added there");
      } else if (value instanceof Json.Obj more && name.equals(GENERATION)) {
        Json.Obj own = body.object(GENERATION);
        Json.Obj.Builder generation =
            Json.object().putAll(more.without(MODALITIES).without(SPEECH));
        all = all.with(GENERATION, (own == null ? generation : generation.putAll(own)).build());
      } else {
        all = all.with(name, value);
      }
    }
    return all;
  }

  /** Reports the members of the request that this dialect cannot express. */
  private static void unsaid(SpeechRequest request, Losses losses) {
    if (request.speed().compareTo(BigDecimal.ONE) != 0) {
      losses.dropped("speed", "this dialect has none");
    }
    Json.Obj members = request.members();
    for (int i = 0; i < members.size(); i++) {
      if (!SAID.contains(members.name(i)) && !members.name(i).equals("input_references")) {
        losses.dropped(members.name(i), "this dialect has none");
      }
    }
  }

  @Override
  public void close() {
    calls.close();
  }

  /** The audio in the frames of one answer. Read by one thread; closed by any. */
  private final class Sound implements AudioStream {
    private final Transport.Response response;
    private final SpeechCall call;
    private final Cancellation.Child exchange;
    private final AnswerMemory.Share share;
    private final SseReader frames;
    private @Nullable String mediaType;
    private byte[] piece = new byte[0];
    private int at; // the position in the piece
    private long largest; // the size of the largest frame accounted for
    private @Nullable GeminiFinish geminiFinish;
    private @Nullable Usage usage;
    private boolean over;

    Sound(
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
        Json.Obj document = upstream.document(response, share);
        upstream.refuse(ErrorBody.of(document), response, call.credential());
        throw protocol("one document where a stream was asked for");
      }
      pull();
    }

    /** Reads up to the next audio or to the end of the answer. */
    private void pull() throws IOException, UpstreamException {
      while (at == piece.length && !over) {
        if (frames.next()) {
          frame();
        } else {
          end();
        }
      }
    }

    private void frame() throws IOException, UpstreamException {
      byte[] bytes = Arrays.copyOfRange(frames.buffer(), frames.start(), frames.end());
      if (bytes.length > largest) {
        share.take(2 * (bytes.length - largest)); // for the frame and its audio
        largest = bytes.length;
      }
      try {
        if (!(codec.parse(bytes) instanceof Json.Obj document)) {
          throw protocol("a frame that is no object");
        }
        upstream.refuse(ErrorBody.of(document), response, call.credential());
        read(document);
      } catch (JsonCodec.MalformedJsonException malformed) {
        throw protocol("a frame that is no JSON: " + malformed.getMessage());
      }
    }

    private void read(Json.Obj document) throws UpstreamException {
      Json.Obj used = document.object("usageMetadata");
      if (used != null) {
        usage = GeminiUsage.of(used, 0);
      }
      Json.Obj candidate = GeminiFinish.candidate(document);
      Json.Obj content = candidate == null ? null : candidate.object("content");
      Json.Arr parts = content == null ? null : content.list("parts");
      var sounds = new ArrayList<byte[]>(1);
      for (int i = 0; parts != null && i < parts.size(); i++) {
        Json.Obj inline = parts.get(i) instanceof Json.Obj part ? part.object("inlineData") : null;
        if (inline != null) {
          sounds.add(sound(inline));
        }
      }
      piece = joined(sounds);
      at = 0;
      GeminiFinish said = GeminiFinish.of(document);
      if (said.word() != null) {
        geminiFinish = said;
      }
    }

    private byte[] sound(Json.Obj inline) throws UpstreamException {
      if (mediaType == null) {
        mediaType = inline.text("mimeType");
      }
      String data = inline.text("data");
      try {
        return data == null ? new byte[0] : Base64.getDecoder().decode(data);
      } catch (IllegalArgumentException notBase64) {
        throw protocol("sound that is no base64");
      }
    }

    /** Ends the answer: its finish reason decides between success and failure. */
    private void end() throws UpstreamException {
      over = true;
      GeminiFinish said = geminiFinish;
      if (said == null) {
        throw new UpstreamException(TransportErrorClassifier.cutOff());
      }
      switch (said.reason(false)) {
        case ERROR -> throw new UpstreamException(said.failure());
        case CONTENT_FILTER, REFUSAL ->
            throw new UpstreamException(
                Failure.of(
                    FailureKind.CONTENT_POLICY, "the upstream spoke no more: " + said.word()));
        case LENGTH, CONTEXT_WINDOW ->
            throw new UpstreamException(
                Failure.of(
                    FailureKind.CONTEXT_LENGTH, "the upstream cannot speak so much at once"));
        case END, STOP_SEQUENCE, PAUSE, COMPACTION, TOOL_CALLS -> close();
      }
    }

    @Override
    public @Nullable String mediaType() {
      return mediaType;
    }

    @Override
    public int read(byte[] into) throws UpstreamException {
      boolean done = false;
      try {
        pull();
        done = true;
      } catch (IOException broken) {
        throw upstream.failed(broken, exchange.cancellation());
      } finally {
        if (!done) {
          over = true;
          close();
        }
      }
      int length = Math.min(into.length, piece.length - at);
      if (length == 0) {
        return -1;
      }
      System.arraycopy(piece, at, into, 0, length);
      at += length;
      return length;
    }

    @Override
    public boolean ready() {
      return over || at < piece.length || frames.ready();
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

  private static byte[] joined(List<byte[]> sounds) {
    if (sounds.size() == 1) {
      return sounds.getFirst();
    }
    int length = sounds.stream().mapToInt(one -> one.length).sum();
    var all = new byte[length];
    int at = 0;
    for (byte[] one : sounds) {
      System.arraycopy(one, 0, all, at, one.length);
      at += one.length;
    }
    return all;
  }

  private static UpstreamException protocol(String message) {
    return new UpstreamException(TransportErrorClassifier.protocol(message));
  }
}
