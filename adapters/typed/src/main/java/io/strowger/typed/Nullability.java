package io.strowger.typed;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedConstructor;
import com.fasterxml.jackson.databind.introspect.AnnotatedField;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tells Jackson which components of records may be null; the others are required. */
final class Nullability extends NopAnnotationIntrospector {
  private static final long serialVersionUID = 1L;

  private static final Set<Class<?>> OPTIONALS =
      Set.of(Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class);

  /** Returns whether a component of a record may be null. */
  static boolean isNullable(Class<?> owner, String component) {
    try {
      Field field = owner.getDeclaredField(component);
      return OPTIONALS.contains(field.getType())
          || Stream.of(field.getAnnotations(), field.getAnnotatedType().getAnnotations())
              .flatMap(Stream::of)
              .map(Annotation::annotationType)
              .anyMatch(type -> type.getSimpleName().equals("Nullable"));
    } catch (NoSuchFieldException none) {
      return false;
    }
  }

  /**
   * Returns whether a parameter belongs to the canonical constructor. Other creators may have other
   * parameters than the record has components.
   */
  private static boolean isComponent(AnnotatedParameter parameter) {
    Class<?> record = parameter.getDeclaringClass();
    return record.isRecord()
        && parameter.getOwner() instanceof AnnotatedConstructor constructor
        && Arrays.equals(
            constructor.getAnnotated().getParameterTypes(),
            Stream.of(record.getRecordComponents()).map(RecordComponent::getType).toArray());
  }

  /**
   * Returns whether a record component may be null; null when the member is no record component.
   */
  private static @Nullable Boolean nullable(Annotated member) {
    return switch (member) {
      case AnnotatedParameter parameter when isComponent(parameter) ->
          isNullable(
              parameter.getDeclaringClass(),
              parameter.getDeclaringClass().getRecordComponents()[parameter.getIndex()].getName());
      case AnnotatedField field when field.getDeclaringClass().isRecord() ->
          isNullable(field.getDeclaringClass(), field.getName());
      default -> null;
    };
  }

  @Override
  public @Nullable Boolean hasRequiredMarker(AnnotatedMember member) {
    Boolean nullable = nullable(member);
    return nullable == null ? null : !nullable;
  }

  @Override
  public JsonSetter.Value findSetterInfo(Annotated member) {
    Boolean nullable = nullable(member);
    return nullable == null
        ? JsonSetter.Value.empty()
        : JsonSetter.Value.construct(nullable ? Nulls.SET : Nulls.FAIL, Nulls.FAIL);
  }
}
