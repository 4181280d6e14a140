/**
 * Checks values against JSON Schemas with a library, and bounds the work of that library. Start
 * reading at {@link io.strowger.plugins.jsonschema.JsonSchemaValidator}.
 */
@NullMarked
package io.strowger.plugins.jsonschema;

import org.jspecify.annotations.NullMarked;
