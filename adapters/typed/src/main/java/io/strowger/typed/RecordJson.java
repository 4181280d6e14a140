package io.strowger.typed;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.InvalidNullException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.PropertyBindingException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.introspect.AnnotationIntrospectorPair;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.strowger.core.client.JsonMismatchException;
import io.strowger.spi.json.JsonPointer;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads JSON that models write into records, and writes results of tools. Safe on any thread. */
final class RecordJson {
  static final JsonMapper MAPPER = mapper();

  private RecordJson() {}

  private static JsonMapper mapper() {
    JsonMapper.Builder mapper =
        JsonMapper.builder()
            .addModules(new Jdk8Module(), new JavaTimeModule())
            .annotationIntrospector(
                new AnnotationIntrospectorPair(
                    new Nullability(), new JacksonAnnotationIntrospector()))
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(
                DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                DeserializationFeature.FAIL_ON_IGNORED_PROPERTIES,
                DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(
                SerializationFeature.WRITE_DATES_AS_TIMESTAMPS,
                SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS);
    for (var shape :
        new CoercionInputShape[] {
          CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean
        }) {
      mapper.withCoercionConfig(
          LogicalType.Textual, text -> text.setCoercion(shape, CoercionAction.Fail));
    }
    return mapper.build();
  }

  /**
   * Reads a record.
   *
   * @throws JsonMismatchException when the JSON does not fit
   */
  static <T> T read(Class<T> type, String json) throws JsonMismatchException {
    try {
      T value = MAPPER.readValue(json, type);
      if (value == null) {
        throw new JsonMismatchException(JsonPointer.ROOT, "must not be null");
      }
      return value;
    } catch (JsonProcessingException failure) {
      throw mismatch(failure);
    }
  }

  /** Returns the text of a tool's result for the model: a string unchanged, the rest as JSON. */
  static String text(@Nullable Object result) throws JsonProcessingException {
    return result instanceof String text ? text : MAPPER.writeValueAsString(result);
  }

  private static JsonMismatchException mismatch(JsonProcessingException failure) {
    if (failure instanceof JsonParseException || failure.getCause() instanceof JsonParseException) {
      return new JsonMismatchException(JsonPointer.ROOT, "must be one complete JSON value");
    }
    JsonPointer pointer = JsonPointer.ROOT;
    if (failure instanceof JsonMappingException mapping) {
      for (JsonMappingException.Reference step : mapping.getPath()) {
        if (step.getFieldName() != null) {
          pointer = pointer.child(step.getFieldName());
        } else if (step.getIndex() >= 0) {
          pointer = pointer.child(step.getIndex());
        }
      }
    }
    return new JsonMismatchException(pointer, message(failure));
  }

  private static String message(JsonProcessingException failure) {
    return switch (failure) {
      case PropertyBindingException unknown ->
          "is not a member here; allowed: " + new TreeSet<>(unknown.getKnownPropertyIds());
      case InvalidNullException none -> "must not be null";
      case ValueInstantiationException instantiation -> "does not fit: " + reason(instantiation);
      case MismatchedInputException missing
          when missing.getOriginalMessage().startsWith("Missing required") ->
          "is required";
      case MismatchedInputException mismatch -> "must be " + kind(mismatch.getTargetType());
      default -> "cannot be read";
    };
  }

  private static String reason(ValueInstantiationException failure) {
    Throwable cause = failure.getCause();
    return cause == null || cause.getMessage() == null
        ? "the constructor rejected the value"
        : cause.getMessage();
  }

  private static String kind(@Nullable Class<?> type) {
    if (type == null) {
      return "of another type";
    }
    if (type.isEnum()) {
      return "one of " + Arrays.stream(type.getEnumConstants()).map(RecordJson::jsonText).toList();
    }
    if (type == String.class) {
      return "text";
    }
    if (type == boolean.class || type == Boolean.class) {
      return "true or false";
    }
    if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
      return "a number of type " + type.getSimpleName();
    }
    if (type.isRecord() || Map.class.isAssignableFrom(type)) {
      return "an object";
    }
    boolean list = type.isArray() || Collection.class.isAssignableFrom(type);
    return list ? "an array" : "text that is a " + type.getSimpleName();
  }

  private static String jsonText(Object constant) {
    return MAPPER.valueToTree(constant).asText();
  }
}
