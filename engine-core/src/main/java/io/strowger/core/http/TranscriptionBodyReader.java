package io.strowger.core.http;

import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.unary.MultipartForm;
import io.strowger.core.dialect.unary.MultipartForm.Field;
import io.strowger.core.dialect.unary.MultipartForm.MalformedFormException;
import io.strowger.core.dialect.unary.TranscriptionDecoder;
import io.strowger.core.wire.WireRequest;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.TranscriptionRequest;
import io.strowger.spi.model.UploadedFile;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bodies of {@code POST /audio/transcriptions}, as JSON or a form. The recording stays in
 * the memory it was read into, which is charged to the budget of all bodies; nothing is written to
 * disk. Embeddings fact sheet.
 */
record TranscriptionBodyReader(BodyReader bodyReader, int problemLimit) implements RequestReader {
  private static final String FILE = "file";
  private static final String GRANULARITIES = "timestamp_granularities";
  private static final String PROVIDER = "provider";
  private static final String STREAM = "stream";

  /** The maximum size of a part that is not the file, in bytes. */
  private static final int MAX_TEXT_BYTES = 64 << 10;

  /** The extra memory for decoding a base64 recording, as a multiple of its size. */
  private static final long DECODING_FACTOR = 2;

  /** Stands in for an invalid file; the request is refused, whatever else it contains. */
  private static final UploadedFile NO_FILE = new UploadedFile(new byte[0], 0, 0, "none");

  private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,18}(?:\\.[0-9]{1,18})?");
  private static final Pattern EXTENSION = Pattern.compile("\\.([A-Za-z0-9]{1,16})$");
  private static final Map<String, String> FORMATS =
      Map.of(
          "audio/mpeg", "mp3",
          "audio/mp3", "mp3",
          "audio/wav", "wav",
          "audio/x-wav", "wav",
          "audio/wave", "wav",
          "audio/flac", "flac",
          "audio/ogg", "ogg",
          "audio/webm", "webm",
          "audio/mp4", "m4a",
          "audio/x-m4a", "m4a");

  private static final TranscriptionDecoder DECODER = new TranscriptionDecoder();

  @Override
  public Result read(Caller caller, WireRequest wire) {
    var problems = new Problems(problemLimit);
    String contentType = wire.headers().first("Content-Type");
    TranscriptionRequest decodedRequest =
        contentType != null && MultipartForm.isForm(contentType)
            ? readForm(bodyReader.readBytes(wire), contentType, problems)
            : readJson(wire, problems);
    Json.Obj members = decodedRequest == null ? Json.Obj.EMPTY : decodedRequest.members();
    return UnaryBodyReader.result(
        Endpoint.Kind.TRANSCRIPTIONS, decodedRequest, members, wire, problems);
  }

  private @Nullable TranscriptionRequest readJson(WireRequest wire, Problems problems) {
    Json.Obj body = bodyReader.read(wire);
    Json.Obj audio = body.object(TranscriptionDecoder.AUDIO);
    if (audio != null
        && audio.get("data") instanceof Json.Str data
        && wire.body() instanceof ChargedBody chargedBody) {
      chargedBody.chargeExtra(DECODING_FACTOR * data.utf8Bound());
    }
    return DECODER.decode(body, problems);
  }

  private @Nullable TranscriptionRequest readForm(
      byte[] body, String contentType, Problems problems) {
    Json.Obj.Builder members = Json.object();
    UploadedFile file = null;
    try {
      var seenNames = new ArrayList<String>();
      var granularities = new ArrayList<Json>();
      for (Field field : MultipartForm.fields(body, contentType)) {
        String name = memberName(field.name());
        if (!name.equals(GRANULARITIES)) {
          requireOnce(name, seenNames, problems);
        }
        if (name.equals(FILE)) {
          file = upload(body, field, problems);
        } else if (name.equals(GRANULARITIES)) {
          granularities.add(Json.of(text(body, field)));
        } else {
          members.put(name, value(name, text(body, field), problems));
        }
      }
      if (!granularities.isEmpty()) {
        members.put(GRANULARITIES, Json.array(granularities));
      }
    } catch (MalformedFormException e) {
      throw BodyReader.invalidBody("the form " + e.getMessage(), "");
    }
    boolean hasFileProblem = problems.hasProblemUnder(JsonPointer.ROOT.child(FILE));
    UploadedFile audio =
        file == null && hasFileProblem ? NO_FILE : file; // so that the problem is noted once
    return DECODER.decode(members.build(), audio, problems);
  }

  private static String memberName(String name) {
    return name.equals(GRANULARITIES + "[]") ? GRANULARITIES : name;
  }

  private static void requireOnce(String name, List<String> seenNames, Problems problems) {
    if (seenNames.contains(name)) {
      problems.add(JsonPointer.ROOT.child(name), "must be given once", "");
    }
    seenNames.add(name);
  }

  private static String text(byte[] body, Field field) throws MalformedFormException {
    if (field.size() > MAX_TEXT_BYTES) {
      throw new MalformedFormException(
          "must have at most " + MAX_TEXT_BYTES + " bytes in each part except file");
    }
    return MultipartForm.text(body, field);
  }

  /** Returns the JSON value of a form field, typed as the member of a JSON body would be. */
  private Json value(String name, String text, Problems problems) {
    if (name.equals("temperature") && NUMBER.matcher(text.strip()).matches()) {
      return Json.of(new BigDecimal(text.strip()));
    }
    if (name.equals(STREAM) && (text.equals("true") || text.equals("false"))) {
      return text.equals("true") ? Json.TRUE : Json.FALSE;
    }
    if (name.equals(PROVIDER)) {
      Json parsed = bodyReader.parseOrNull(text);
      if (parsed == null) {
        problems.add(JsonPointer.ROOT.child(PROVIDER), "must be a JSON object", "");
        return Json.NULL;
      }
      return parsed;
    }
    return Json.of(text);
  }

  private static @Nullable UploadedFile upload(byte[] body, Field field, Problems problems) {
    JsonPointer pointer = JsonPointer.ROOT.child(FILE);
    if (field.size() == 0) {
      problems.add(pointer, "must not be empty", "");
      return null;
    }
    String format = format(field);
    if (format == null) {
      problems.add(
          pointer,
          "must have a name that ends in its format, such as audio.mp3, or a content type",
          "");
      return null;
    }
    return new UploadedFile(body, field.from(), field.size(), format);
  }

  /** Returns the extension of the file's name, or the format of its content type; null for none. */
  private static @Nullable String format(Field field) {
    String name = field.fileName();
    Matcher extension = EXTENSION.matcher(name == null ? "" : name);
    if (extension.find()) {
      return extension.group(1).toLowerCase(Locale.ROOT);
    }
    String type = field.contentType();
    return type == null ? null : FORMATS.get(type.toLowerCase(Locale.ROOT));
  }
}
