@NullMarked
package io.strowger.providers.rerank;

import org.jspecify.annotations.NullMarked;
