package io.strowger.providers.transcription;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.translate.Losses;
import io.strowger.providers.upstream.OptionsMerger;
import io.strowger.providers.upstream.UnaryUpstreamClient;
import io.strowger.providers.upstream.UsageCounts;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.TranscriptionRequest;
import io.strowger.spi.model.UploadedFile;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.UnaryAnswer;
import io.strowger.spi.provider.UnaryCall;
import io.strowger.spi.provider.UnaryProvider;
import io.strowger.spi.provider.UpstreamException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The adapter for the OpenAI transcriptions API: {@code POST audio/transcriptions} with a form. The
 * recording is sent without being copied. Embeddings fact sheet, {@code /audio/transcriptions}.
 */
public final class OpenAiTranscriptions implements UnaryProvider {
  /** The members that provider options may not set. */
  private static final Set<String> RESERVED_MEMBERS =
      Set.of("model", "file", "response_format", "stream", "user");

  private final UnaryUpstreamClient client;
  private final Ambient ambient;

  /**
   * @param transport the transport, which its owner closes after this adapter
   * @param memory the memory for answers, shared with other adapters
   */
  public OpenAiTranscriptions(Transport transport, ProviderSettings settings, AnswerMemory memory) {
    this.client = new UnaryUpstreamClient(transport, settings, memory, "audio/transcriptions");
    this.ambient = settings.ambient();
  }

  @Override
  public UnaryAnswer answer(UnaryCall call) throws UpstreamException {
    if (!(call.request() instanceof TranscriptionRequest request)) {
      throw new IllegalArgumentException("this adapter serves transcription requests only");
    }
    var form = new FormOutput(ambient);
    form.addMember("model", Json.of(call.endpoint().upstreamModel()));
    form.addMember("response_format", Json.of(request.verbose() ? "verbose_json" : "json"));
    Json.Obj members = members(call);
    for (int i = 0; i < members.size(); i++) {
      form.addMember(members.name(i), members.value(i));
    }
    form.addFile("file", request.audio());
    return client.send(call, form.contentType(), form.end(), OpenAiTranscriptions::answer);
  }

  /** Returns the members besides the model, the response format and the file. */
  private static Json.Obj members(UnaryCall call) {
    var losses = new Losses(call.losses());
    Json.Obj members = call.request().members();
    for (String name : RESERVED_MEMBERS) {
      members = members.without(name);
    }
    return OptionsMerger.merge(members, call.options(), RESERVED_MEMBERS, losses);
  }

  private static @Nullable UnaryAnswer answer(Json.Obj document, Runnable release) {
    return document.has("text") ? new UnaryAnswer(document, usage(document), release) : null;
  }

  /** Returns the usage; null when the upstream reports no count, since a bill needs one. */
  private static @Nullable Usage usage(Json.Obj document) {
    Json.Obj reported = document.object("usage");
    Json.Obj counts = reported == null ? Json.Obj.EMPTY : reported;
    long input = UsageCounts.of(counts, "input_tokens");
    long output = UsageCounts.of(counts, "output_tokens");
    Json.Obj details = counts.object("input_token_details");
    long audio =
        details == null ? input : Math.clamp(details.longValue("audio_tokens", 0), 0, input);
    long seconds = Math.max(seconds(counts.get("seconds")), seconds(document.get("duration")));
    return input + output + seconds == 0
        ? null
        : Usage.builder()
            .freshInput(input - audio)
            .inputAudio(audio)
            .outputText(output)
            .seconds(seconds)
            .build();
  }

  /** Returns the seconds rounded up; some upstreams send the number as text. */
  private static long seconds(@Nullable Json value) {
    String spelled =
        switch (value) {
          case Json.Num number -> number.spelling();
          case Json.Str text -> text.beginning(32);
          case null, default -> "0";
        };
    try {
      double seconds = Math.ceil(Double.parseDouble(spelled));
      return seconds > 0 ? (long) Math.min(seconds, UsageCounts.MAX_COUNT) : 0;
    } catch (NumberFormatException notANumber) {
      return 0;
    }
  }

  @Override
  public void close() {
    client.close();
  }

  /** Writes a {@code multipart/form-data} body. Files are referenced, not copied. */
  private static final class FormOutput {
    private final JsonOutput out = JsonOutput.withByteReferences(1 << 10);
    private final String boundary;

    FormOutput(Ambient ambient) {
      boundary = "form-" + Long.toHexString(ambient.seed()) + Long.toHexString(ambient.seed());
    }

    String contentType() {
      return "multipart/form-data; boundary=" + boundary;
    }

    /** Adds a JSON value; each item of a list becomes a part of its own. */
    void addMember(String name, Json value) {
      switch (value) {
        case Json.Arr items -> items.forEach(item -> addText(name + "[]", toText(item)));
        case Json.Null none -> {} // as if it were absent
        default -> addText(name, toText(value));
      }
    }

    private static String toText(Json value) {
      return value instanceof Json.Str text ? text.text() : value.toString();
    }

    private void addText(String name, String text) {
      beginPart("name=\"" + escape(name) + "\"");
      out.ascii("\r\n\r\n");
      out.bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds a file under a generic name; the caller's file name is not sent. */
    void addFile(String name, UploadedFile file) {
      beginPart("name=\"" + name + "\"; filename=\"audio." + file.format() + "\"");
      out.ascii("\r\nContent-Type: application/octet-stream\r\n\r\n");
      file.writeTo(out);
    }

    private void beginPart(String parameters) {
      out.ascii(out.length() == 0 ? "--" : "\r\n--");
      out.ascii(boundary);
      out.ascii("\r\nContent-Disposition: form-data; ");
      out.bytes(parameters.getBytes(StandardCharsets.UTF_8));
    }

    /** Escapes characters that would end the name or the line. */
    private static String escape(String name) {
      return name.replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
    }

    /** Writes the end of the form and returns the whole form. */
    JsonOutput end() {
      out.ascii("\r\n--" + boundary + "--\r\n");
      return out;
    }
  }
}
