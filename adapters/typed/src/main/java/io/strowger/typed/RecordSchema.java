package io.strowger.typed;

import com.fasterxml.classmate.ResolvedType;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.victools.jsonschema.generator.CustomDefinition;
import com.github.victools.jsonschema.generator.FieldScope;
import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaGenerationContext;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaVersion;
import com.github.victools.jsonschema.module.jackson.JacksonModule;
import com.github.victools.jsonschema.module.jackson.JacksonOption;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Generates the JSON Schema of a record. Each instance is for one class and one thread. */
final class RecordSchema {
  private static final Set<Class<?>> SCALARS =
      Set.of(
          String.class,
          Boolean.class,
          Byte.class,
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          BigInteger.class,
          BigDecimal.class,
          UUID.class,
          URI.class,
          Instant.class,
          OffsetDateTime.class,
          ZonedDateTime.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class,
          Duration.class);

  private static final Map<Class<?>, Class<?>> OPTIONAL_NUMBERS =
      Map.of(
          OptionalInt.class,
          Integer.class,
          OptionalLong.class,
          Long.class,
          OptionalDouble.class,
          Double.class);

  /**
   * The descriptions of types without a format: the formats of JSON Schema for times require an
   * offset.
   */
  private static final Map<Class<?>, String> DESCRIPTIONS =
      Map.of(
          LocalDateTime.class, "a date and time without offset, such as 2026-01-31T13:30:00",
          LocalTime.class, "a time of day without offset, such as 13:30:00",
          URI.class, "a URI");

  private static final int MAX_NAME_LENGTH = 64;

  private final Class<?> root;
  private final boolean allowsMaps;
  private final Set<JavaType> visited = new HashSet<>();

  private RecordSchema(Class<?> root, boolean allowsMaps) {
    this.root = Objects.requireNonNull(root, "root");
    this.allowsMaps = allowsMaps;
  }

  /**
   * Returns a schema that strict structured output accepts.
   *
   * @throws IllegalArgumentException when there is none
   */
  static Json.Obj strict(Class<?> type) {
    return new RecordSchema(type, false).schema();
  }

  /**
   * Returns a schema that may have maps.
   *
   * @throws IllegalArgumentException when there is none
   */
  static Json.Obj withMaps(Class<?> type) {
    return new RecordSchema(type, true).schema();
  }

  /** Returns the name of the schema of a class. */
  static String name(Class<?> type) {
    String name = type.getSimpleName().replaceAll("[^A-Za-z0-9_-]", "_");
    return name.length() <= MAX_NAME_LENGTH ? name : name.substring(0, MAX_NAME_LENGTH);
  }

  private Json.Obj schema() {
    if (!root.isRecord()) {
      throw noSchema(root.getSimpleName(), "is no record", "wrap it in one");
    }
    requireRecord(RecordJson.MAPPER.constructType(root), root.getSimpleName());
    ObjectNode schema = new SchemaGenerator(config().build()).generateSchema(root);
    if (!schema.has("properties")) {
      schema.putObject("properties"); // of a record without components
      schema.putArray("required");
    }
    try {
      return (Json.Obj)
          new JacksonCodec().parse(schema.toString().getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException bug) {
      throw new IllegalStateException("the schema of " + root.getName() + " is no JSON", bug);
    }
  }

  private void requireRecord(JavaType type, String path) {
    if (!visited.add(type)) {
      return;
    }
    List<BeanPropertyDefinition> components =
        RecordJson.MAPPER.getDeserializationConfig().introspect(type).findProperties();
    for (BeanPropertyDefinition component : components) {
      JavaType componentType = component.getPrimaryType();
      boolean optional = componentType.getRawClass() == Optional.class;
      if (!OPTIONAL_NUMBERS.containsKey(componentType.getRawClass())) {
        requireFit(
            optional ? componentType.getContentType() : componentType,
            path + "." + component.getName());
      }
    }
  }

  private void requireFit(JavaType type, String path) {
    Class<?> raw = type.getRawClass();
    if (raw == byte[].class) {
      throw noSchema(path, "is bytes", "use text, such as base64");
    } else if (type.isMapLikeType()) {
      if (!allowsMaps) {
        throw noSchema(
            path,
            "is a map; a strict schema does not support members with arbitrary names",
            "use a list of records with a name and a value");
      }
      requireFit(type.getContentType(), path + ".*");
    } else if (type.isArrayType() || type.isCollectionLikeType()) {
      requireFit(type.getContentType(), path + "[]");
    } else if (type.isRecordType()) {
      requireRecord(type, path);
    } else if (raw == Optional.class || OPTIONAL_NUMBERS.containsKey(raw)) {
      throw noSchema(
          path,
          "is an Optional inside another type",
          "use the type without Optional and leave absent elements out");
    } else if (!type.isEnumType()
        && !SCALARS.contains(raw)
        && (!raw.isPrimitive() || raw == char.class)) {
      throw noSchema(
          path,
          "is " + raw.getName(),
          "use a record, an enum, text, a number, a boolean, UUID, URI or a type of java.time, or"
              + " leave the component out with @JsonIgnore");
    }
  }

  private IllegalArgumentException noSchema(String path, String problem, String remedy) {
    return new IllegalArgumentException(
        "no schema can be made of " + root.getName() + ": " + path + " " + problem + "; " + remedy);
  }

  private static SchemaGeneratorConfigBuilder config() {
    var config =
        new SchemaGeneratorConfigBuilder(
                RecordJson.MAPPER, SchemaVersion.DRAFT_2020_12, OptionPreset.PLAIN_JSON)
            .with(new JacksonModule(JacksonOption.RESPECT_JSONPROPERTY_ORDER))
            .with(
                Option.FORBIDDEN_ADDITIONAL_PROPERTIES_BY_DEFAULT,
                Option.MAP_VALUES_AS_ADDITIONAL_PROPERTIES,
                Option.STANDARD_FORMATS)
            .without(Option.SCHEMA_VERSION_INDICATOR);
    config
        .forTypesInGeneral()
        .withPropertySorter((unusedOne, unusedOther) -> 0) // as they are declared
        .withCustomDefinitionProvider(RecordSchema::enumDefinition)
        .withCustomDefinitionProvider(RecordSchema::describedDefinition);
    config
        .forFields()
        .withRequiredCheck(field -> true)
        .withNullableCheck(RecordSchema::isNullable)
        .withTargetTypeOverridesResolver(RecordSchema::optionalContent);
    return config;
  }

  private static boolean isNullable(FieldScope field) {
    return !field.isFakeContainerItemScope()
        && Nullability.isNullable(
            field.getDeclaringType().getErasedType(), field.getDeclaredName());
  }

  /** Returns the type within an optional; null for all other types. */
  private static @Nullable List<ResolvedType> optionalContent(FieldScope field) {
    ResolvedType type = field.getType();
    Class<?> number = type == null ? null : OPTIONAL_NUMBERS.get(type.getErasedType());
    if (number != null) {
      return List.of(field.getContext().resolve(number));
    }
    return type != null && type.getErasedType() == Optional.class
        ? List.of(field.getTypeParameterFor(Optional.class, 0))
        : null;
  }

  /** Defines an enum by the words that Jackson writes for its constants. */
  private static @Nullable CustomDefinition enumDefinition(
      ResolvedType type, SchemaGenerationContext context) {
    Object[] constants = type.getErasedType().getEnumConstants();
    if (constants == null) {
      return null;
    }
    ObjectNode definition = context.getGeneratorConfig().createObjectNode().put("type", "string");
    ArrayNode words = definition.putArray("enum");
    for (Object constant : constants) {
      JsonNode word = RecordJson.MAPPER.valueToTree(constant);
      if (!word.isTextual()) {
        throw new IllegalArgumentException(
            "no schema can be made of the enum "
                + type.getErasedType().getName()
                + ": its constants are not written as text; let its @JsonValue return text");
      }
      words.add(word);
    }
    return new CustomDefinition(definition);
  }

  private static @Nullable CustomDefinition describedDefinition(
      ResolvedType type, SchemaGenerationContext context) {
    String description = DESCRIPTIONS.get(type.getErasedType());
    return description == null
        ? null
        : new CustomDefinition(
            context
                .getGeneratorConfig()
                .createObjectNode()
                .put("type", "string")
                .put("description", description),
            true);
  }
}
