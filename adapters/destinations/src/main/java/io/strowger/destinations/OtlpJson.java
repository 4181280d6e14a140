package io.strowger.destinations;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Writes messages of OTLP in its JSON form. This form differs from the JSON form of protocol
 * buffers in two points, so that the protobuf library cannot write it: ids are hex digits instead
 * of base64, and enums are numbers.
 */
final class OtlpJson {
  private OtlpJson() {}

  static Json.Obj of(Message message) {
    Json.Obj.Builder object = Json.object();
    for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
      object.put(field.getKey().getJsonName(), value(field.getKey(), field.getValue()));
    }
    return object.build();
  }

  private static Json value(FieldDescriptor field, Object value) {
    if (!field.isRepeated()) {
      return singleValue(field, value);
    }
    var items = new ArrayList<Json>();
    for (Object item : (List<?>) value) {
      items.add(singleValue(field, item));
    }
    return Json.array(items);
  }

  private static Json singleValue(FieldDescriptor field, Object value) {
    return switch (field.getJavaType()) {
      case MESSAGE -> of((Message) value);
      case STRING -> Json.of((String) value);
      case BOOLEAN -> Json.of((Boolean) value);
      case INT -> Json.of((Integer) value);
      case LONG ->
          Json.of(integerText(field, (Long) value)); // a text, since JavaScript has 53 bits
      case DOUBLE -> number((Double) value);
      case FLOAT -> number((Float) value);
      case BYTE_STRING -> Json.of(HexFormat.of().formatHex(((ByteString) value).toByteArray()));
      case ENUM -> Json.of(((EnumValueDescriptor) value).getNumber());
    };
  }

  private static String integerText(FieldDescriptor field, long value) {
    boolean unsigned =
        field.getType() == FieldDescriptor.Type.FIXED64
            || field.getType() == FieldDescriptor.Type.UINT64;
    return unsigned ? Long.toUnsignedString(value) : Long.toString(value);
  }

  private static Json number(double value) {
    return Double.isFinite(value)
        ? Json.of(BigDecimal.valueOf(value))
        : Json.of(Double.toString(value));
  }
}
