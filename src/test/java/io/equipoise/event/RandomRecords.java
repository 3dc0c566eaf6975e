package io.equipoise.event;

import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes random records of any type by looking at their components; equal seeds, equal records. */
final class RandomRecords {
  private static final double[] CORNERS = {
    0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE
  };
  private static final String[] TEXTS = {
    "", "a", "de-mobile", "naïve", "日本語", "\uD83D\uDE00", "\0"
  };

  /** Names of the components whose text is that of a fixed hash. */
  private static final Pattern HASH =
      Pattern.compile(
          "(spec|previousSpec|bounds|previousBounds)Hash|hash|modelFingerprint|model|pending");

  private final SplittableRandom random;

  RandomRecords(long seed) {
    random = new SplittableRandom(seed);
  }

  <T extends Record> T next(Class<T> type) {
    try {
      RecordComponent[] components = type.getRecordComponents();
      @Nullable Object[] values = new @Nullable Object[components.length];
      for (int i = 0; i < components.length; i++) {
        boolean mayBeNull = components[i].getAnnotatedType().isAnnotationPresent(Nullable.class);
        boolean isNull = mayBeNull && random.nextInt(3) == 0;
        values[i] =
            isNull
                ? null
                : HASH.matcher(components[i].getName()).matches()
                    ? hash()
                    : value(components[i].getGenericType());
      }
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      Constructor<T> constructor = type.getDeclaredConstructor(types);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type.getName(), e);
    }
  }

  private Object value(Type type) {
    if (type == String.class) {
      return text();
    } else if (type == long.class || type == Long.class) {
      return integer();
    } else if (type == int.class || type == Integer.class) {
      return (int) integer();
    } else if (type == double.class || type == Double.class) {
      return real();
    } else if (type == boolean.class || type == Boolean.class) {
      return random.nextBoolean();
    } else if (type == byte[].class) {
      byte[] bytes = new byte[random.nextInt(20)];
      random.nextBytes(bytes);
      return bytes;
    } else if (type == Object.class) {
      return attribute();
    } else if (type instanceof ParameterizedType container) {
      return container(container);
    }
    return named((Class<?>) type);
  }

  private Object named(Class<?> type) {
    if (type.isEnum()) {
      Object[] constants = type.getEnumConstants();
      return constants[random.nextInt(constants.length)];
    }
    return next(type.asSubclass(Record.class));
  }

  private Object container(ParameterizedType type) {
    Type[] arguments = type.getActualTypeArguments();
    Type last = arguments[arguments.length - 1];
    int size = random.nextInt(5);
    if (type.getRawType() == List.class) {
      List<Object> list = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        list.add(value(last));
      }
      return list;
    }
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      map.put(text(), value(last));
    }
    return map;
  }

  private Object attribute() {
    return switch (random.nextInt(4)) {
      case 0 -> text();
      case 1 -> integer();
      case 2 -> real();
      default -> random.nextBoolean();
    };
  }

  private String text() {
    StringBuilder text = new StringBuilder(TEXTS[random.nextInt(TEXTS.length)]);
    while (random.nextInt(3) > 0) {
      text.append(TEXTS[random.nextInt(TEXTS.length)]);
    }
    return text.toString();
  }

  private String hash() {
    byte[] bytes = new byte[Sha256.HEX_BYTES];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private long integer() {
    return random.nextLong() >> random.nextInt(Long.SIZE);
  }

  private double real() {
    return random.nextInt(8) == 0
        ? CORNERS[random.nextInt(CORNERS.length)]
        : random.nextDouble() * 200 - 100;
  }
}
