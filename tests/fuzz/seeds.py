"""Small valid files of every format, from which mutations start."""

from tests.fuzz.reading import BETWEEN

TEXT = {
    "positions": b"size,apple,pear,plum\n7.1,1,2,3\n6.4,2,1,3\n3.2,3,2,1\n6.9,1,3,2\n",
    "orders": b"x;rank_1;rank_2;rank_3\n0,5;2;3;1\n0,7;3;1;2\n1,5;1;2;3\n",
    "partial": b"x\ta\tb\tc\n1\t1\t\t2\n2\t2\t1\t?\n3\t1\t1\t2\n",
    "words": b"x,ranking\n1,b>a=c\n2,a>c>b\n3,c>b\n4,a=b>c\n",
    "relevance": b'x,"y, z",l1,l2\n1,2,0,1\n2,1,1,0\n3,4,1,1\n4,3,0,0\n',
    "calibrated": b"x,a,b,c,zero\n1,1,2,4,3\n2,4,1,3,2\n3,2,3,4,1\n",
    "split": b"x,a,b,part\n1,1,2,train\n2,2,1,train\n3,1,2,test\n4,2,1,test\n",
    "nominal": b"colour,x,a,b\nred,1,1,2\nblue,2,2,1\nred,3,1,2\nblue,,2,1\n",
    "numbers": b"5.1,3.5,1,2,3\n4.9,3.0,2,1,3\n6.2,3.4,3,2,1\n",
    "pair": b"x,a,b\n1,1,2\n2,2,1\n3,1,2" + BETWEEN + b"x,a,b\n3,1,2\n4,2,1\n",
}

ARFF = {
    "dense": b"% about\n@relation 'a b'\n@attribute x numeric\n@attribute 'c d' {red, 'light blue'}"
    b"\n@attribute l1 {0,1}\n@attribute l2 {0,1}\n@data\n1.5,red,0,1\n"
    b"?,'light blue',1,0\n3,red,1,1\n",
    "meka": b"@relation 'n: -C 2'\n@attribute a {0,1}\n@attribute b {0,1}\n@attribute x numeric\n"
    b"@data\n0,1,2\n1,0,3\n1,1,4\n",
    "sparse": b"@relation s\n@attribute x numeric\n@attribute y numeric\n@attribute a {0,1}\n"
    b"@attribute b {0,1}\n@data\n{0 1,2 1}\n{1 2.5,3 1}\n{2 1}, {2}\n{}\n",
    "mulan": b"@relation m\n@attribute x numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n"
    b"1,0,1\n2,1,0\n3,1,1\n" + BETWEEN + b'<?xml version="1.0"?><labels xmlns="u"><label name="a">'
    b'</label><label name="b"/></labels>',
    "xarff": b"@relation r\n@attribute x numeric\n@attribute L ranking {a,b,c}\n@data\n1,a>b>c\n"
    b"2,b>a|c>a\n3,c>b\n4,a>c>b\n",
}
OTHER = {
    "libsvm": b"# comment\n1,3 1:0.5 4:2\n2 2:1\n 3:1 4:1\n1 1:1 2:1\n",
    "libsvm-header": b"3 4 2\n0 0:1 3:2\n1 1:1\n0,1 2:3\n",
}


def seeds():
    """Return all of them by name."""
    groups = {"text": TEXT, "arff": ARFF, "other": OTHER}
    return {
        f"{group}-{name}": content
        for group, files in groups.items()
        for name, content in files.items()
    }
